// Made from `gelenk.ui.messages` by `python -m gelenk.ui.typescript`.

/**
 * Messages between the page and its server.
 *
 * Every text message is one JSON object with a `kind`, the name of its dataclass in
 * snake case, and its fields. Poses go as binary frames (`frames.py`), images as bytes
 * with a head (`images.py`), meshes over HTTP (`mesh_assets.py`). The TypeScript of the
 * client is generated from these dataclasses; `VERSION` changes whenever a meaning does.
 * SI and radians; positions in the world; quaternions (w, x, y, z).
 */

export const VERSION = 3;

/**
 * Binary frames: everything that moves, at one moment.
 *
 *     offset  type         what
 *     0       4 bytes      "GLF1"
 *     4       uint32       scene number
 *     8       float64      simulated time [s]
 *     16      uint32       physics tick
 *     20      uint32       flags: 1 = asked for by `get_frame`, not live
 *     24      uint32       n, number of bodies
 *     28      uint32       m, number of joints
 *     32      uint32       c, number of contacts
 *     36      uint32       b, number of belts
 *     40      float32      n x 7: x, y, z [m], qw, qx, qy, qz
 *     ...     float32      m: joint values [rad], [m]
 *     ...     float32      m: joint speeds as a share of the top speed, signed
 *     ...     float32      c x 6: point [m], force [N]
 *     ...     float32      b: how far belts have run along themselves [m]
 *
 * Little endian. The order of bodies, joints and belts is that of `messages.Scene`.
 */

export const FRAME_MAGIC = "GLF1";
export const FRAME_HEADER_BYTES = 40;
export const FRAME_ASKED = 1;

/**
 * Binary images: what a camera sees or a robot shows, with marks as numbers.
 *
 *     offset  type         what
 *     0       4 bytes      "GLI1"
 *     4       uint32       n, length of the head
 *     8       n bytes      `messages.ImageHead` as JSON
 *     8 + n   bytes        JPEG or PNG
 *
 * Little endian.
 */

export const IMAGE_MAGIC = "GLI1";
export const IMAGE_HEADER_BYTES = 8;

/**
 * Meshes and textures as a page fetches them: binary, thinned, each content once.
 *
 *     offset  type             what
 *     0       4 bytes          "GLM1"
 *     4       uint32           flags: 1 colours, 2 places in a texture, 4 open surface
 *     8       uint32           n, number of corners
 *     12      uint32           m, number of triangles
 *     16      float32, n x 3   corners [m]
 *             float32, n x 2   places in the texture, from its lower left; with flag 2
 *             int8, n x 4      normals times 127, and 0
 *             uint8, n x 4     red, green, blue, 255; with flag 1
 *             uint32, m x 3    corners of the triangles, anticlockwise from outside
 *
 * Little endian. The name of an asset is a digest of its bytes: what was fetched once is
 * good for ever.
 */

export const MESH_MAGIC = "GLM1";
export const MESH_HEADER_BYTES = 16;
export const MESH_HAS_COLORS = 1;
export const MESH_HAS_UV = 2;
export const MESH_IS_OPEN = 4;

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];
export type Rgba = [number, number, number, number];

/** One of several words. */
export interface ChoiceField {
  kind: "choice";
  /** Key, title and explanation as for `NumberField`. */
  name: string;
  /** Key, title and explanation as for `NumberField`. */
  title: string;
  /** Words to choose from. */
  choices: string[];
  /** Word that is chosen first. */
  default: string;
  /** Key, title and explanation as for `NumberField`. */
  help: string;
}

/** A point on the ground, chosen by a click into the 3D view. */
export interface GroundField {
  kind: "ground";
  /** Key, title and explanation as for `NumberField`. */
  name: string;
  /** Key, title and explanation as for `NumberField`. */
  title: string;
  /** Point x, y that is chosen first [m]; null: it has to be chosen. */
  default: [number, number] | null;
  /** Corners of the area in which points are accepted [m]; null: all. */
  low: [number, number] | null;
  /** Corners of the area in which points are accepted [m]; null: all. */
  high: [number, number] | null;
  /** Height of the plane that is clicked at [m]. */
  height: number;
  /** Key, title and explanation as for `NumberField`. */
  help: string;
}

/** A row, or one cell of it, that stands out. */
export interface Highlight {
  /** Row, counted from 0. */
  row: number;
  /** Column, counted from 0; null: the whole row. */
  column: number | null;
  /** Meaning that the colour shows. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
}

/** A number. */
export interface NumberField {
  kind: "number";
  /** Key in the values of `RobotPanel.press`, or name of a parameter. */
  name: string;
  /** Title in a few words. */
  title: string;
  /** Number that stands in the field first. */
  default: number;
  /** Unit of the number. */
  unit: string;
  /** Limits of the accepted numbers, included; null: no limit. */
  minimum: number | null;
  /** Limits of the accepted numbers, included; null: no limit. */
  maximum: number | null;
  /** Explanation in one sentence. */
  help: string;
}

/** A button, with fields that belong to it. */
export interface PanelAction {
  /** Name that `RobotPanel.press` gets. */
  name: string;
  /** Text on the button. */
  title: string;
  /** Explanation in one sentence. */
  help: string;
  /**
   * Fields of the values that the action takes. With a `GroundField`, a click into the view
   * does it at once where `is_done_by_click`.
   */
  fields: (NumberField | ChoiceField | SwitchField | TextField | GroundField)[];
  /** Whether choosing the point already presses the button. */
  is_done_by_click: boolean;
  /** Whether it can be pressed now. */
  is_enabled: boolean;
  /** Heading under which it stands; empty: none. */
  group: string;
}

/** Arrows in an image, such as residuals; enlarge them here and say so in a caption. */
export interface PixelArrows {
  kind: "arrows";
  /** Starts of the arrows, x, y [px], shape (n, 2). */
  starts: [number, number][];
  /** Tips of the arrows, x, y [px], shape (n, 2). */
  ends: [number, number][];
  /** Meaning and layer as for `PixelPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
  /** Meaning and layer as for `PixelPoints`. */
  layer: string;
}

/** Circles in an image. */
export interface PixelCircles {
  kind: "circles";
  /** Centres, x, y [px], shape (n, 2). */
  centers: [number, number][];
  /** Radii [px], shape (n,). */
  radii: number[];
  /** Word beside each circle; empty: none. */
  labels: string[];
  /** Meaning and layer as for `PixelPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
  /** Meaning and layer as for `PixelPoints`. */
  layer: string;
}

/** A line through points of an image, or the area inside of it. */
export interface PixelPath {
  kind: "path";
  /** Corners of the line, x, y [px], shape (n, 2). */
  at: [number, number][];
  /** Whether it leads back to its first point. */
  is_closed: boolean;
  /** Whether the area is tinted. */
  is_filled: boolean;
  /** Meaning and layer as for `PixelPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
  /** Meaning and layer as for `PixelPoints`. */
  layer: string;
}

/** Points in an image. */
export interface PixelPoints {
  kind: "points";
  /**
   * Points, x to the right, y down [px], shape (n, 2); the middle of the first pixel is (0,
   * 0).
   */
  at: [number, number][];
  /** Shape of the marks, which have one size on the screen. */
  shape: "dot" | "cross" | "ring" | "square";
  /** Word beside each point; empty: none. */
  labels: string[];
  /** Meaning that the colour shows. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
  /** Name under which they can be switched off, and that explains them. */
  layer: string;
}

/** Words in an image. */
export interface PixelTexts {
  kind: "texts";
  /** Starts of the texts, x, y [px], shape (n, 2). */
  at: [number, number][];
  /** Text for each place. */
  texts: string[];
  /** Meaning and layer as for `PixelPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
  /** Meaning and layer as for `PixelPoints`. */
  layer: string;
}

/** Switch, on or off; attributes as of `NumberField`. */
export interface SwitchField {
  kind: "switch";
  name: string;
  title: string;
  default: boolean;
  help: string;
}

/** Any text; attributes as of `NumberField`. */
export interface TextField {
  kind: "text";
  name: string;
  title: string;
  default: string;
  help: string;
}

/** Arrows, such as forces; scale them to metres here and say so in the name. */
export interface WorldArrows {
  kind: "arrows";
  /** Name and meaning as for `WorldPoints`. */
  name: string;
  /** Starts of the arrows [m], shape (n, 3). */
  starts: [number, number, number][];
  /** Vectors from start to tip [m], shape (n, 3). */
  vectors: [number, number, number][];
  /** Radius of a shaft [m]. */
  radius: number;
  /** Name and meaning as for `WorldPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
}

/** A line through points, such as a planned way. */
export interface WorldPath {
  kind: "path";
  /** Name and meaning as for `WorldPoints`. */
  name: string;
  /** Points of the line [m], shape (n, 3). */
  at: [number, number, number][];
  /** Name and meaning as for `WorldPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
  /** Opacity of the line, 0 to 1. */
  opacity: number;
}

/** Small dots. */
export interface WorldPoints {
  kind: "points";
  /** Name, unique in its panel, under which the dots can be switched off. */
  name: string;
  /** Positions [m], shape (n, 3). */
  at: [number, number, number][];
  /** Radius of a dot [m]. */
  radius: number;
  /** Meaning that the colour shows. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
}

/** A flat area, such as a support polygon. */
export interface WorldPolygon {
  kind: "polygon";
  /** Name and meaning as for `WorldPoints`. */
  name: string;
  /** Corners in order [m], shape (n, 3). */
  corners: [number, number, number][];
  /** Name and meaning as for `WorldPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
  /** Opacity of the area, 0 to 1. */
  opacity: number;
}

/** Spheres one can look through: targets, places with their uncertainty. */
export interface WorldSpheres {
  kind: "spheres";
  /** Name and meaning as for `WorldPoints`. */
  name: string;
  /** Centres [m], shape (n, 3). */
  centers: [number, number, number][];
  /** Radii [m], shape (n,). */
  radii: number[];
  /** Name and meaning as for `WorldPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
  /** Opacity of the spheres, 0 to 1. */
  opacity: number;
}

/**
 * Words in space that always face the reader.
 *
 * Those named "caption" stand in a corner of the view instead.
 */
export interface WorldTexts {
  kind: "texts";
  /** Name and meaning as for `WorldPoints`. */
  name: string;
  /** Positions [m], shape (n, 3). */
  at: [number, number, number][];
  /** Text for each place. */
  texts: string[];
  /** Name and meaning as for `WorldPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
}

/** A way with its uncertainty. */
export interface WorldTube {
  kind: "tube";
  /** Name and meaning as for `WorldPoints`. */
  name: string;
  /** Points of the middle line [m], shape (n, 3). */
  at: [number, number, number][];
  /** Radius at each point [m], shape (n,), such as three standard deviations. */
  radii: number[];
  /** Name and meaning as for `WorldPoints`. */
  color: "neutral" | "model" | "measured" | "target" | "good" | "warning" | "bad" | "one" | "two" | "three" | "four";
  /** Opacity of the tube, 0 to 1. */
  opacity: number;
}

/** Go back to the gallery. */
export interface CloseScene {
  kind: "close_scene";
  id: number;
}

/** Put the run back to a tick and go on from there; refused with the reason. */
export interface ContinueFrom {
  kind: "continue_from";
  id: number;
  tick: number;
}

/** Status of a controller, with the buttons that would change it. */
export interface ControllerStatus {
  /** Number and name of the controller. */
  number: number;
  /** Number and name of the controller. */
  name: string;
  /** "idle", "running", "paused", ... */
  state: string;
  /** Reason of the state; empty if that is not known. */
  reason: string;
  /** Those of start, pause, stop that would change something. */
  buttons: string[];
}

/** A moment worth jumping to. */
export interface Event {
  /** Moment as physics tick and in seconds. */
  tick: number;
  /** Moment as physics tick and in seconds. */
  time: number;
  /** Kind: "trigger", "impact", "collision", "grasp", "fault", "controller", "error". */
  what: string;
  /** Description in a few words. */
  text: string;
}

/** New events of the scene, counted like lines. */
export interface Events {
  kind: "events";
  scene: number;
  start: number;
  events: Event[];
}

/** Press Start, Pause, Stop or Reset; for all controllers, or one by number. */
export interface Execute {
  kind: "execute";
  id: number;
  action: "start" | "pause" | "stop" | "reset";
  controller?: number | null;
}

/**
 * Show the moment at or just before a tick: the answer is a binary frame.
 *
 * Only the one who asks sees it; the run goes on.
 */
export interface GetFrame {
  kind: "get_frame";
  id: number;
  tick: number;
}

/** The first message on every connection. */
export interface Hello {
  kind: "hello";
  /** Version of the protocol; a page of another one asks to be reloaded. */
  version: number;
  /** Version of gelenk. */
  server: string;
  /** Whether the page may hand in programs and files to run. */
  may_run_code: boolean;
  /** The scenes. */
  gallery: SceneCard[];
}

/** Let simulated time stand still, or go on. */
export interface Hold {
  kind: "hold";
  id: number;
  is_held: boolean;
}

/** A line of a window. */
export interface Line {
  /** Moment as physics tick and in seconds. */
  tick: number;
  /** Moment as physics tick and in seconds. */
  time: number;
  /** Speaker: "robot0", a controller, a sender. */
  source: string;
  /** Text of the line. */
  text: string;
  /** "info", "warning", "error"; "input" for what a person typed. */
  level: "info" | "warning" | "error" | "input";
  /** Receiver of a trigger. */
  receiver: number | null;
}

/** New lines of a window; `start` counts from the first line of the scene. */
export interface Lines {
  kind: "lines";
  scene: number;
  window: "debug" | "commander" | "triggers" | "system";
  start: number;
  lines: Line[];
}

/** Open a scene of the gallery; what runs is ended. */
export interface OpenScene {
  kind: "open_scene";
  id: number;
  name: string;
}

/** Somebody has changed a parameter of the panel. */
export interface ParameterChanged {
  kind: "parameter_changed";
  scene: number;
  name: string;
  value: number | string | boolean;
}

/** Press a special button of the panel, or do an action of the exhibit. */
export interface Press {
  kind: "press";
  id: number;
  /** Name of the button or action. */
  name: string;
  /** Values of the fields of an action, by name; points as [x, y] [m]. */
  values?: Record<string, unknown>;
}

/** The answer to a request. */
export interface Reply {
  kind: "reply";
  /** Number of the request. */
  id: number;
  /** Whether it was carried out. */
  ok: boolean;
  /** Reason of a refusal, for people; shown beside the field. */
  message: string;
  /** Name of the field that is wrong, if it is one. */
  field: string;
  /** Answer that was asked for. */
  value: unknown;
}

/** New points of all curves, in the order of `Scene.signals`. */
export interface Samples {
  kind: "samples";
  scene: number;
  /** [s], one per row. */
  times: number[];
  /**
   * All rows, one after the other: float32, little endian, as base64; not a number where
   * there is none.
   */
  values: string;
}

/** Hand a typed line to a robot's controller. */
export interface SendLine {
  kind: "send_line";
  id: number;
  robot: number;
  text: string;
}

/** Send a trigger to a number, or to all controllers with -1. */
export interface SendTrigger {
  kind: "send_trigger";
  id: number;
  receiver: number;
  text: string;
}

/** Ask a robot's own service, such as `armbot.check`; the answer is in the reply. */
export interface Service {
  kind: "service";
  id: number;
  name: string;
  value?: Record<string, unknown>;
}

/** Simulated seconds per second, 0.1 to 10; null: as fast as possible. */
export interface SetPace {
  kind: "set_pace";
  id: number;
  /** 0.05 to 100. */
  pace: number | null;
}

/** Change a parameter of the panel. */
export interface SetParameter {
  kind: "set_parameter";
  id: number;
  name: string;
  value: number | string | boolean;
}

/** Begin to record to a file, or end it; the reply has where it can be fetched. */
export interface SetRecording {
  kind: "set_recording";
  id: number;
  is_on: boolean;
}

/** Contents of the transport bar; sent on every change and twice a second. */
export interface Status {
  kind: "status";
  /** Number of the scene; 0: none is open. */
  scene: number;
  /** A scene is being built. */
  is_loading: boolean;
  /** Progress of the loading in a few words; empty: nobody says. */
  loading: string;
  /**
   * State of all controllers together: "idle", "paused", ...; "running" where there are
   * none.
   */
  state: string;
  /** Those of start, pause, stop, reset that would change something. */
  buttons: string[];
  /** Each of them. */
  controllers: ControllerStatus[];
  /** Simulated time [s]. */
  time: number;
  /** Physics tick. */
  tick: number;
  /** The earliest one that can be scrubbed to. */
  first_tick: number;
  /** Simulated time stands still. */
  is_held: boolean;
  /** Wanted simulated seconds per second; null: as fast as possible. */
  pace: number | null;
  /** Reached in the last second. */
  speed: number;
  /** A recording is being written. */
  is_recording: boolean;
  /** Reason why the scene stands, if it broke. */
  problem: string;
  /** All controllers have come to the end of their programs. */
  is_finished: boolean;
  /**
   * Whether the scene then begins anew by itself; null: it never does. Set as parameter
   * "page.repeat"; who uses the scene switches it off.
   */
  repeats: boolean | null;
  /** Whole seconds until it begins anew; null: it does not. */
  again_in: number | null;
}

/** Do some control ticks, then hold. */
export interface StepOnce {
  kind: "step_once";
  id: number;
  /** 1 to 1000. */
  count?: number;
}

/** Wishes of a page: plots cost, images cost. */
export interface Watch {
  kind: "watch";
  id: number;
  /** Send curves. */
  signals?: boolean;
  /** Send contact points and forces with the frames. */
  contacts?: boolean;
  /** Names of cameras whose images are wanted. */
  cameras?: string[];
  /** Names of pictures of the exhibit that are wanted. */
  pictures?: string[];
}

/** All buttons of the exhibit; replaces those that were. */
export interface Actions {
  kind: "actions";
  scene: number;
  actions: PanelAction[];
}

/** A surface that moves along itself; its place in the list is that in a frame. */
export interface Belt {
  /** Name of the conveyor. */
  name: string;
  /** Outline of the surface in the world [m], flat: x, y, z, x, ... */
  corners: number[];
  /** Unit vector of positive travel. */
  along: Vec3;
}

/** Something that has a pose; its place in the list is its place in a frame. */
export interface Body {
  /** Name in the world. */
  name: string;
  /** "fixed", "object", "robot"; decides on materials and menus. */
  group: "fixed" | "object" | "robot";
  /** Name of the robot it is a link of, or empty. */
  robot: string;
  /** Shapes that are looked at or touch. */
  shapes: Shape[];
}

/** Something to press that is special to a scene, sent back as `press`. */
export interface Button {
  name: string;
  title: string;
  help: string;
}

/** A camera of the world: its body, its field of view, and where its image is. */
export interface Camera {
  name: string;
  body: string;
  width: number;
  height: number;
  /** [rad] */
  fov_y: number;
}

/** A column of a table. */
export interface ColumnHead {
  /** A word or two. */
  title: string;
  /** Unit of the numbers. */
  unit: string;
  /** Whether it holds numbers, which stand to the right. */
  is_number: boolean;
}

/** Owner of a curve; its place in the list is that of its name in `signals`. */
export interface Curve {
  /** Robot that it belongs to; empty: the scene. */
  robot: string;
  /** Joint, conveyor; empty: of everything. */
  part: string;
  /** Such as "angle", "torque", "control error"; curves of one kind and unit share a picture. */
  kind: string;
  /** SI; "1" for plain numbers. */
  unit: string;
}

/** The floor: its limits, its tiles and its paint. */
export interface Floor {
  /** Corners [m]. */
  low: [number, number];
  /** Corners [m]. */
  high: [number, number];
  /** Edge of a tile of the checkerboard [m]; 0: plain. */
  tile: number;
  /** Tiles and paints of other colours; later ones lie over earlier ones. */
  patches: Patch[];
}

/** Head of an image, before its bytes; see `images.py`. */
export interface ImageHead {
  /** Number of the scene. */
  scene: number;
  /** "camera" of the world, or "picture" of the exhibit. */
  source: "camera" | "picture";
  /** Name of the camera or picture. */
  name: string;
  /** Simulated time that it shows [s]. */
  time: number;
  /** [px]. */
  width: number;
  /** [px]. */
  height: number;
  /** MIME type of its bytes. */
  format: "image/jpeg" | "image/png";
  /** Drawn over it. */
  marks: (PixelPoints | PixelCircles | PixelPath | PixelArrows | PixelTexts)[];
  /** A sentence below. */
  caption: string;
}

/** A motor of a robot; its place in the list is its place in a frame. */
export interface Joint {
  /** Name of the joint. */
  name: string;
  /** Name of its robot. */
  robot: string;
  /** Name of the body that it moves; highlighted with it. */
  body: string;
  /** "rad" or "m". */
  unit: "rad" | "m";
  /** Range; null without end. */
  minimum: number | null;
  /** Range; null without end. */
  maximum: number | null;
  /** [unit/s]; null: unknown. */
  max_speed: number | null;
}

/** Everything that the exhibit draws into the world; replaces what was. */
export interface Overlays {
  kind: "overlays";
  scene: number;
  overlays: (WorldPoints | WorldPath | WorldTube | WorldPolygon | WorldArrows | WorldSpheres | WorldTexts)[];
}

/** Additions of a robot to the page, as data. */
export interface Panel {
  /** Title of the panel. */
  title: string;
  /** Numbers of robots whose controllers take typed lines. */
  robots: number[];
  /** Numbers that triggers can be sent to, with who they are. */
  receivers: Record<string, string>;
  /** Parameters that can be set. */
  parameters: Parameter[];
  /** Buttons that can be pressed. */
  buttons: Button[];
  /** Special views that the client knows: "armbot-editor", "ik-race", "assembly". */
  tools: string[];
  /** Text that made the scene, such as an environment file. */
  source: string;
  /** Its name. */
  source_name: string;
}

/** A number, choice or switch that can be changed while the scene runs. */
export interface Parameter {
  /** Address for `set_parameter`. */
  name: string;
  /** A few words. */
  title: string;
  /** Now: number, text or boolean. */
  value: number | string | boolean;
  /** Unit of a number. */
  unit: string;
  /** Range of a number; null without end. */
  minimum: number | null;
  /** Range of a number; null without end. */
  maximum: number | null;
  /** Possible texts; empty: any. */
  choices: string[];
  /** One sentence. */
  help: string;
}

/** A flat coloured area on the floor. */
export interface Patch {
  /** x, y, x, y, ... [m]. */
  corners: number[];
  /** Colour. */
  rgba: Rgba;
}

/** Titles of the pictures of a panel, by name. */
export interface PictureTitles {
  kind: "picture_titles";
  scene: number;
  titles: Record<string, string>;
}

/** A scene was opened: everything that does not move. Frames name it by `number`. */
export interface Scene {
  kind: "scene";
  /** Counts the scenes of this server. */
  number: number;
  /** Texts of the gallery. */
  name: string;
  /** Texts of the gallery. */
  title: string;
  /** Texts of the gallery. */
  summary: string;
  /** Physics step [s]. */
  step: number;
  /** Time between two control ticks [s]. */
  period: number;
  /** Contents of the scene. */
  bodies: Body[];
  /** Contents of the scene. */
  joints: Joint[];
  /** Contents of the scene. */
  zones: Zone[];
  /** Contents of the scene. */
  floor: Floor;
  /** Contents of the scene. */
  cameras: Camera[];
  /** Contents of the scene. */
  panel: Panel;
  /** Names of the curves that can be plotted, with units: `name [unit]`. */
  signals: string[];
  /** Owner and kind of each signal. */
  curves: Curve[];
  /** Surfaces that move along themselves. */
  belts: Belt[];
  /** Points to look from, and at [m]. */
  eye: Vec3;
  /** Points to look from, and at [m]. */
  focus: Vec3;
  /** Whether the scene has chosen them; else all is to be seen. */
  is_view_chosen: boolean;
}

/** A scene in the gallery. */
export interface SceneCard {
  /** Its address, such as `armbot/sorting`. */
  name: string;
  /** A few words. */
  title: string;
  /** One sentence. */
  summary: string;
  /** Path of its picture on the server, empty if there is none. */
  picture: string;
  /** Heading in the gallery, such as "ArmBot". */
  group: string;
}

/** A solid of a body. */
export interface Shape {
  /**
   * "box" (full edges), "sphere" (radius), "capsule" and "cylinder" (radius, length without
   * caps, along z), "ellipsoid" (half axes), "plane" (edges), "mesh".
   */
  shape: "box" | "sphere" | "capsule" | "cylinder" | "ellipsoid" | "plane" | "mesh";
  /** Its numbers [m], see above; empty for a mesh. */
  size: number[];
  /** Pose in the body. */
  position: Vec3;
  /** Pose in the body. */
  quaternion: Quat;
  /** Colour; white for a mesh with colours of its own. */
  rgba: Rgba;
  /** Whether it is looked at, touches, or both; what only touches is drawn on demand. */
  role: "visual" | "collision" | "both";
  /** Name of the mesh, fetched from `/meshes/NAME`, see `mesh_assets.py`. */
  mesh: string;
  /**
   * Name of the mesh with few triangles, for those who draw without a graphics card; empty
   * where it has few already.
   */
  coarse: string;
  /** Name of its texture, fetched likewise; empty if it has none. */
  texture: string;
  /** Lowest and highest corner of the mesh [m]: x, y, z, x, y, z. */
  bounds: number[];
}

/** All tables of the exhibit; replaces those that were. */
export interface Tables {
  kind: "tables";
  scene: number;
  tables: TableText[];
}

/** A table, written. */
export interface TableText {
  /** Name and title of the table. */
  name: string;
  /** Name and title of the table. */
  title: string;
  /** Its heads. */
  columns: ColumnHead[];
  /** Texts of its cells. */
  rows: string[][];
  /** Cells that stand out. */
  highlights: Highlight[];
  /** A sentence below. */
  caption: string;
}

/** An area or a line on the floor that notices objects; drawn on demand. */
export interface Zone {
  /** Name in the world. */
  name: string;
  /** "circle" (center, radius) or "barrier" (start, end). */
  form: "circle" | "barrier";
  /** Event that is noticed: "enter", "leave" or "cross". */
  on: "enter" | "leave" | "cross";
  /** Centre, or start and end [m]: x, y, x, y. */
  points: number[];
  /** Radius of a circle [m]. */
  radius: number;
  /** Height to which it is drawn [m]. */
  height: number;
  /** Text that it sends, and to whom, for people. */
  text: string;
}

export type FromServer =
  | Hello
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
  | Reply;

export type FromPage =
  | OpenScene
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
  | Watch;

/** Requests by their kind. */
export interface Requests {
  open_scene: OpenScene;
  close_scene: CloseScene;
  execute: Execute;
  set_pace: SetPace;
  hold: Hold;
  step_once: StepOnce;
  get_frame: GetFrame;
  continue_from: ContinueFrom;
  send_line: SendLine;
  send_trigger: SendTrigger;
  set_parameter: SetParameter;
  press: Press;
  service: Service;
  set_recording: SetRecording;
  watch: Watch;
}
