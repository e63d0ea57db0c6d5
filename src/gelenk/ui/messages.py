"""Messages between the page and its server.

Every text message is one JSON object with a `kind`, the name of its dataclass in
snake case, and its fields. Poses go as binary frames (`frames.py`), images as bytes
with a head (`images.py`), meshes over HTTP (`mesh_assets.py`). The TypeScript of the
client is generated from these dataclasses; `VERSION` changes whenever a meaning does.
SI and radians; positions in the world; quaternions (w, x, y, z).
"""

from __future__ import annotations

from typing import TypeAlias

from gelenk.runtime.panel import (
    ChoiceField,
    GroundField,
    Highlight,
    NumberField,
    PanelAction,
    PixelArrows,
    PixelCircles,
    PixelPath,
    PixelPoints,
    PixelTexts,
    SwitchField,
    TextField,
    WorldArrows,
    WorldPath,
    WorldPoints,
    WorldPolygon,
    WorldSpheres,
    WorldTexts,
    WorldTube,
)
from gelenk.ui.messages_page import (
    CloseScene,
    ContinueFrom,
    ControllerStatus,
    Event,
    Events,
    Execute,
    GetFrame,
    Hello,
    Hold,
    Line,
    Lines,
    OpenScene,
    ParameterChanged,
    Press,
    Reply,
    Samples,
    SendLine,
    SendTrigger,
    Service,
    SetPace,
    SetParameter,
    SetRecording,
    Status,
    StepOnce,
    Watch,
)
from gelenk.ui.messages_scene import (
    Actions,
    Belt,
    Body,
    Button,
    Camera,
    ColumnHead,
    Curve,
    Floor,
    ImageHead,
    Joint,
    Overlays,
    Panel,
    Parameter,
    Patch,
    PictureTitles,
    Quat,
    Rgba,
    Scene,
    SceneCard,
    Shape,
    Tables,
    TableText,
    Vec3,
    Zone,
)

__all__ = [
    "VERSION",
    "Actions",
    "Belt",
    "Body",
    "Button",
    "Camera",
    "ChoiceField",
    "CloseScene",
    "ColumnHead",
    "ContinueFrom",
    "ControllerStatus",
    "Curve",
    "Event",
    "Events",
    "Execute",
    "Floor",
    "FromPage",
    "FromServer",
    "GetFrame",
    "GroundField",
    "Hello",
    "Highlight",
    "Hold",
    "ImageHead",
    "Joint",
    "Line",
    "Lines",
    "NumberField",
    "OpenScene",
    "Overlays",
    "Panel",
    "PanelAction",
    "Parameter",
    "ParameterChanged",
    "Patch",
    "PictureTitles",
    "PixelArrows",
    "PixelCircles",
    "PixelPath",
    "PixelPoints",
    "PixelTexts",
    "Press",
    "Quat",
    "Reply",
    "Rgba",
    "Samples",
    "Scene",
    "SceneCard",
    "SendLine",
    "SendTrigger",
    "Service",
    "SetPace",
    "SetParameter",
    "SetRecording",
    "Shape",
    "Status",
    "StepOnce",
    "SwitchField",
    "TableText",
    "Tables",
    "TextField",
    "Vec3",
    "Watch",
    "WorldArrows",
    "WorldPath",
    "WorldPoints",
    "WorldPolygon",
    "WorldSpheres",
    "WorldTexts",
    "WorldTube",
    "Zone",
]

VERSION = 3

FromServer: TypeAlias = (
    Hello
    | Scene
    | Status
    | Lines
    | Events
    | Samples
    | ParameterChanged
    | Actions
    | Tables
    | Overlays
    | PictureTitles
    | Reply
)

FromPage: TypeAlias = (
    OpenScene
    | CloseScene
    | Execute
    | SetPace
    | Hold
    | StepOnce
    | GetFrame
    | ContinueFrom
    | SendLine
    | SendTrigger
    | SetParameter
    | Press
    | Service
    | SetRecording
    | Watch
)
