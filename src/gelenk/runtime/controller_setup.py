"""Controllers made ready: executors, numbers, names, configuration, wiring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from gelenk.errors import ConfigError
from gelenk.runtime.bus import Bus
from gelenk.runtime.controller import Controller, PureController, TriggerProcessor
from gelenk.runtime.executor import Executor, PureExecutor
from gelenk.runtime.modules import check_wiring
from gelenk.runtime.process import ProcessController, ProcessExecutor
from gelenk.runtime.services import Services
from gelenk.runtime.thread_executor import ProcessorExecutor, ThreadExecutor

AnyController: TypeAlias = Controller | PureController | ProcessController


def make_executors(
    controllers: Sequence[AnyController] | Mapping[int, AnyController],
    services: Services,
) -> list[Executor]:
    """Return a executor for each controller; a sequence is numbered from 0.

    Raises:
        ConfigError: If something is no controller, a number is negative, or two
            controllers have one name.
    """
    numbered = (
        controllers.items()
        if isinstance(controllers, Mapping)
        else enumerate(controllers)
    )
    executors = [_make_executor(item, number, services) for number, item in numbered]
    names = [executor.name for executor in executors]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(
                f"{names.count(name)} controllers are named {name!r}; "
                "give each a `name` of its own"
            )
    return executors


def _make_executor(
    controller: AnyController, number: int, services: Services
) -> Executor:
    if number < 0:
        raise ConfigError(f"an instance number must be 0 or more, got {number}")
    if isinstance(controller, PureController):
        return PureExecutor(controller, number, services)
    if isinstance(controller, ProcessController):
        return ProcessExecutor(controller, number, services)
    if isinstance(controller, Controller):
        if controller._context is not None:
            raise ConfigError(
                f"controller {controller.name!r} is in use already; make one for each"
            )
        return ThreadExecutor(controller, number, services)
    raise ConfigError(
        "expected a Controller, PureController or ProcessController, got "
        f"{controller!r}; a class must be instantiated"
    )


def wire(executors: Iterable[Executor], bus: Bus) -> None:
    """Check that every message a controller needs is provided, and declare the topics.

    Raises:
        ConfigError: If a provider is missing or types differ.
    """
    components: list[Any] = [executor.component for executor in executors]
    for topic, message_type in check_wiring(components, given=bus.topics).items():
        bus.declare(topic, message_type)


def configure(
    executors: Iterable[Executor], texts: Mapping[int, str], services: Services
) -> None:
    """Introduce the controllers and hand out their configurations, each once.

    Raises:
        ConfigError: If one is missing that is required, nobody has its number, or a
            controller refuses it.
    """
    programs = {
        executor.instance: (executor.name, executor.controller)
        for executor in executors
        if isinstance(executor, ThreadExecutor)
    }
    for name, controller in programs.values():
        text = services.call(name, controller.get_description).value
        services.log("info", name, str(text))
    _hand_out(programs, texts, services)


def configure_processors(
    executors: Iterable[ProcessorExecutor], texts: Mapping[int, str], services: Services
) -> None:
    """Hand out the configurations of trigger processors, as `configure` does."""
    programs = {
        executor.number: (executor.name, executor.processor) for executor in executors
    }
    _hand_out(programs, texts, services)


def _hand_out(
    programs: Mapping[int, tuple[str, Controller | TriggerProcessor]],
    texts: Mapping[int, str],
    services: Services,
) -> None:
    unknown = set(texts) - set(programs)
    if unknown:
        raise ConfigError(
            f"configuration for number {min(unknown)}, but no program that takes one "
            "has this number"
        )
    for number, (name, program) in programs.items():
        if number in texts:
            text, take = texts[number], program.configure
            error = services.call(f"{name}.configure()", partial(take, text)).error
            if error is not None:
                raise ConfigError(
                    f"{name!r} refuses its configuration {text!r}: {error}"
                ) from error
        elif services.call(name, program.requires_configuration).value:
            raise ConfigError(
                f"{name!r} (number {number}) requires a configuration and has none"
            )
