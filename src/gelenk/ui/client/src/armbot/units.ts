/** Fields that people see in centimetres and degrees, and the services in SI. */

import type { Motor } from "./service";

export const DEGREE = Math.PI / 180;
export const CM = 0.01;

/** A number without digits that nobody wrote. */
export function tidy(value: number): string {
  return String(Number(value.toPrecision(9)));
}

/** Reads a number as people write it, with comma or point; null if it is none. */
export function readNumber(text: string): number | null {
  const trimmed = text.trim().replace(",", ".").replace("−", "-");
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** Reads numbers between blanks or semicolons; null if one of them is none. */
export function readNumbers(text: string): number[] | null {
  const parts = text.split(/[\s;]+/).filter((part) => part !== "");
  const values = parts.map(readNumber);
  return values.includes(null) ? null : (values as number[]);
}

/** Factor from what is shown to SI, and the unit that is shown. */
export function shownUnit(unit: Motor["unit"]): { readonly factor: number; readonly unit: string } {
  return unit === "rad" ? { factor: DEGREE, unit: "°" } : { factor: CM, unit: "cm" };
}

/** A range for a slider; motors without end get one turn or one metre. */
export function sliderRange(motor: Motor): readonly [number, number] {
  const wide = motor.unit === "rad" ? Math.PI : 1;
  return [motor.minimum ?? motor.home - wide, motor.maximum ?? motor.home + wide];
}
