/** Numbers for people. */

/** Seconds with as many digits as help: `12.34`, `75.0` -> `1:15.0`. */
export function clock(seconds: number): string {
  if (seconds < 60) return seconds.toFixed(2);
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(2).padStart(5, "0");
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** The unit that belongs to `clock`. */
export function clockUnit(seconds: number): string {
  return seconds < 60 ? "s" : seconds < 3600 ? "min" : "h";
}

/** A number with about four digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "-";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return value.toFixed(digits).replace("-0.000", "0.000");
}

/** A unit as it is printed: `m/s^2` -> `m/s²`. */
export function prettyUnit(unit: string): string {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  return unit
    .replace(/\^(-?)(\d+)/g, (_, sign: string, power: string) => {
      const raised = [...power].map((digit) => digits[Number(digit)]).join("");
      return (sign ? "⁻" : "") + raised;
    })
    .replace(/\*/g, "·");
}

/** A title begins with a capital letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `name [unit]` -> name and printed unit. */
export function splitUnit(signal: string): { name: string; unit: string } {
  const match = /^(.*\S)\s*\[([^\]]*)\]$/.exec(signal);
  if (!match) return { name: signal, unit: "" };
  return { name: match[1]!, unit: prettyUnit(match[2]!) };
}
