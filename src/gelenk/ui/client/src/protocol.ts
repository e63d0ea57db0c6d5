// Made from messages.py and frames.py by `python -m gelenk.ui.typescript`.

/**
 * What the page and its server say to each other.
 *
 * Every text message is one JSON object with a `kind`, the name of its dataclass in
 * snake case, and its fields. Poses go as binary frames (`frames.py`). The TypeScript of
 * the client is generated from this file; `VERSION` changes whenever a meaning does.
 * SI and radians; positions in the world; quaternions (w, x, y, z).
 */

export const VERSION = 1;

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
 *     36      uint32       reserved, 0
 *     40      float32      n x 7: x, y, z [m], qw, qx, qy, qz
 *     ...     float32      m: joint values [rad], [m]
 *     ...     float32      m: joint speeds as a share of the top speed, signed
 *     ...     float32      c x 6: point [m], force [N]
 *
 * Little endian. The order of bodies and joints is that of `messages.Scene`.
 */

export const FRAME_MAGIC = "GLF1";
export const FRAME_HEADER_BYTES = 40;
export const FRAME_ASKED = 1;

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];
export type Rgba = [number, number, number, number];

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
  /** In the body. */
  position: Vec3;
  /** In the body. */
  quaternion: Quat;
  /** Colour. */
  rgba: Rgba;
  /** Of a mesh [m], flat: x, y, z, x, ... */
  vertices: number[];
  /** Corners of a mesh by index, flat. */
  triangles: number[];
}

/** Something that has a pose; its place in the list is its place in a frame. */
export interface Body {
  /** In the world. */
  name: string;
  /** "fixed", "object", "robot"; decides on materials and menus. */
  group: "fixed" | "object" | "robot";
  /** Name of the robot it is a link of, or empty. */
  robot: string;
  /** What it looks like. */
  shapes: Shape[];
}

/** A motor of a robot; its place in the list is its place in a frame. */
export interface Joint {
  /** Of the joint. */
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

/** An area or a line on the floor that notices objects; drawn on demand. */
export interface Zone {
  /** In the world. */
  name: string;
  /** "circle" (center, radius) or "barrier" (start, end). */
  form: "circle" | "barrier";
  /** What is noticed: "enter", "leave" or "cross". */
  on: "enter" | "leave" | "cross";
  /** Centre, or start and end [m]: x, y, x, y. */
  points: number[];
  /** Of a circle [m]. */
  radius: number;
  /** To which it is drawn [m]. */
  height: number;
  /** What it sends, and to whom, for people. */
  text: string;
}

/** A flat coloured area on the floor. */
export interface Patch {
  /** x, y, x, y, ... [m]. */
  corners: number[];
  /** Colour. */
  rgba: Rgba;
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

/** A camera of the world: its body, its field of view, and where its image is. */
export interface Camera {
  name: string;
  body: string;
  width: number;
  height: number;
  /** [rad] */
  fov_y: number;
}

/** A number, choice or switch that can be changed while the scene runs. */
export interface Parameter {
  /** Address for `set_parameter`. */
  name: string;
  /** A few words. */
  title: string;
  /** Now: number, text or boolean. */
  value: number | string | boolean;
  /** Of a number. */
  unit: string;
  /** Of a number; null without end. */
  minimum: number | null;
  /** Of a number; null without end. */
  maximum: number | null;
  /** Of a text; empty: any. */
  choices: string[];
  /** One sentence. */
  help: string;
}

/** Something to press that is special to a scene, sent back as `press`. */
export interface Button {
  name: string;
  title: string;
  help: string;
}

/** What a robot adds to the page, as data. */
export interface Panel {
  /** Of the panel. */
  title: string;
  /** Numbers of robots whose controllers take typed lines. */
  robots: number[];
  /** Numbers that triggers can be sent to, with who they are. */
  receivers: Record<string, string>;
  /** What can be set. */
  parameters: Parameter[];
  /** What can be pressed. */
  buttons: Button[];
  /** Special views that the client knows: "armbot-editor", "ik-race", "assembly". */
  tools: string[];
  /** Text that made the scene, such as an environment file. */
  source: string;
  /** Its name. */
  source_name: string;
}

/** The first message on every connection. */
export interface Hello {
  kind: "hello";
  /** Of the protocol; a page of another version asks to be reloaded. */
  version: number;
  /** Version of gelenk. */
  server: string;
  /** Whether the page may hand in programs and files to run. */
  may_run_code: boolean;
  /** The scenes. */
  gallery: SceneCard[];
}

/** A scene was opened: everything that does not move. Frames name it by `number`. */
export interface Scene {
  kind: "scene";
  /** Counts the scenes of this server. */
  number: number;
  /** As in the gallery. */
  name: string;
  /** As in the gallery. */
  title: string;
  /** As in the gallery. */
  summary: string;
  /** Physics step [s]. */
  step: number;
  /** Between two control ticks [s]. */
  period: number;
  /** What there is. */
  bodies: Body[];
  /** What there is. */
  joints: Joint[];
  /** What there is. */
  zones: Zone[];
  /** What there is. */
  floor: Floor;
  /** What there is. */
  cameras: Camera[];
  /** What there is. */
  panel: Panel;
  /** Names of the curves that can be plotted, with units: `name [unit]`. */
  signals: string[];
  /** Where to look from, and at [m]. */
  eye: Vec3;
  /** Where to look from, and at [m]. */
  focus: Vec3;
}

/** Where a controller stands, and which buttons would change that. */
export interface ControllerState {
  number: number;
  name: string;
  state: string;
  reason: string;
}

/** What the transport bar shows; sent on every change and twice a second. */
export interface Status {
  kind: "status";
  /** Number of the scene; 0: none is open. */
  scene: number;
  /** A scene is being built. */
  is_loading: boolean;
  /** Of all controllers together: "idle", "running", "paused", ... */
  state: string;
  /** Which of start, pause, stop, reset would change something. */
  buttons: string[];
  /** Each of them. */
  controllers: ControllerState[];
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
  /** Why the scene stands, if it broke. */
  problem: string;
}

/** A line of a window. */
export interface Line {
  /** When; seconds. */
  tick: number;
  /** When; seconds. */
  time: number;
  /** Who says it: "robot0", a controller, a sender. */
  source: string;
  /** What. */
  text: string;
  /** "info", "warning", "error"; "input" for what a person typed. */
  level: "info" | "warning" | "error" | "input";
  /** Of a trigger. */
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

/** A moment worth jumping to. */
export interface Event {
  /** When; seconds. */
  tick: number;
  /** When; seconds. */
  time: number;
  /** Kind: "trigger", "impact", "grasp", "fault", "controller", "error". */
  what: string;
  /** In a few words. */
  text: string;
}

/** New events of the scene, counted like lines. */
export interface Events {
  kind: "events";
  scene: number;
  start: number;
  events: Event[];
}

/** New points of all curves, in the order of `Scene.signals`. */
export interface Samples {
  kind: "samples";
  scene: number;
  /** [s], one per row. */
  times: number[];
  /** Values; null where there is none. */
  rows: (number | null)[][];
}

/** The answer to a request. */
export interface Reply {
  kind: "reply";
  /** Of the request. */
  id: number;
  /** Whether it was carried out. */
  ok: boolean;
  /** Why not, for people; shown beside the field. */
  message: string;
  /** Name of the field that is wrong, if it is one. */
  field: string;
  /** What was asked for. */
  value: unknown;
}

/** Somebody has changed a parameter of the panel. */
export interface ParameterChanged {
  kind: "parameter_changed";
  scene: number;
  name: string;
  value: number | string | boolean;
}

/** Open a scene of the gallery; what runs is ended. */
export interface OpenScene {
  kind: "open_scene";
  id: number;
  name: string;
}

/** Go back to the gallery. */
export interface CloseScene {
  kind: "close_scene";
  id: number;
}

/** Press Start, Pause, Stop or Reset; for all controllers, or one by number. */
export interface Execute {
  kind: "execute";
  id: number;
  action: "start" | "pause" | "stop" | "reset";
  controller?: number | null;
}

/** Simulated seconds per second, 0.1 to 10; null: as fast as possible. */
export interface SetPace {
  kind: "set_pace";
  id: number;
  /** 0.05 to 100. */
  pace: number | null;
}

/** Let simulated time stand still, or go on. */
export interface Hold {
  kind: "hold";
  id: number;
  is_held: boolean;
}

/** Do some control ticks, then hold. */
export interface StepOnce {
  kind: "step_once";
  id: number;
  /** 1 to 1000. */
  count?: number;
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

/** Put the run back to a tick and go on from there; refused with the reason. */
export interface ContinueFrom {
  kind: "continue_from";
  id: number;
  tick: number;
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

/** Change a parameter of the panel. */
export interface SetParameter {
  kind: "set_parameter";
  id: number;
  name: string;
  value: number | string | boolean;
}

/** Press a special button of the panel. */
export interface Press {
  kind: "press";
  id: number;
  name: string;
}

/** Ask a robot's own service, such as `armbot.check`; the answer is in the reply. */
export interface Service {
  kind: "service";
  id: number;
  name: string;
  value?: Record<string, unknown>;
}

/** Begin to record to a file, or end it; the reply has where it can be fetched. */
export interface SetRecording {
  kind: "set_recording";
  id: number;
  is_on: boolean;
}

/** What this page wants to see: plots cost, images cost. */
export interface Watch {
  kind: "watch";
  id: number;
  /** Send curves. */
  signals?: boolean;
  /** Send contact points and forces with the frames. */
  contacts?: boolean;
  /** Names of cameras whose images are wanted. */
  cameras?: string[];
}

export type FromServer =
  | Hello
  | Scene
  | Status
  | Lines
  | Events
  | Samples
  | ParameterChanged
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
