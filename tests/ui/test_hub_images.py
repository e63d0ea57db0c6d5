"""Images go to the pages that look at them, the latest of each name."""

from __future__ import annotations

from gelenk.ui.images import Packed
from gelenk.ui.messages import Watch
from ui.page_rig import Page, Rig, make_frame


def image(name: str, number: int, source: str = "picture", size: int = 10) -> Packed:
    return Packed(source, name, f"{source} {name} {number} ".encode().ljust(size))


def receive(page: Page) -> str:
    return page.wait_for(bytes).decode().strip()


def test_only_a_page_that_looks_at_an_image_gets_it(rig: Rig) -> None:
    with rig.open() as one, rig.open() as other:
        first, second = Page(one), Page(other)
        first.ask(Watch(id=1, pictures=("a",), cameras=("b",)))
        second.ask(Watch(id=1, pictures=("b",)))

        for packed in (image("b", 1), image("a", 2), image("b", 3, "camera")):
            rig.hub.send_image(packed)
        rig.hub.send_frame(make_frame(7))

        got = [first.wait_for(bytes) for _ in range(3)]
        assert image("a", 2).data in got
        assert image("b", 3, "camera").data in got
        assert image("b", 1).data not in got
        assert second.wait_for(bytes) in (image("b", 1).data, make_frame(7))


def test_what_all_pages_look_at_is_told_to_the_stage(rig: Rig) -> None:
    with rig.open() as one, rig.open() as other:
        Page(one).ask(Watch(id=1, pictures=("a", "b")))
        Page(other).ask(Watch(id=1, pictures=("b", "c"), cameras=("eye",)))
        watched = [item for item in rig.stage.requests if isinstance(item, Watch)][-1]
    assert watched.pictures == ("a", "b", "c")
    assert watched.cameras == ("eye",)


def test_a_page_that_falls_asleep_gets_the_latest_images_and_not_all(rig: Rig) -> None:
    size, count = 400_000, 400
    with rig.open(max_queue=1) as socket:
        page = Page(socket)
        page.ask(Watch(id=1, pictures=("a", "b")))
        for number in range(count):
            rig.hub.send_image(image("a", number, size=size))
            rig.hub.send_image(image("b", number, size=size))
            rig.hub.send_frame(make_frame(number))
        got: list[str] = []
        last = {f"picture a {count - 1}", f"picture b {count - 1}"}
        while not last <= set(got):
            data = page.wait_for(bytes)
            got.append(data[:40].decode(errors="replace").strip())
    assert len(got) < count
