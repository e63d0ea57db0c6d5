/** Tables of the robot: numbers with units, right-aligned. */

import { PALETTE } from "../palette";
import { prettyUnit } from "../parts/format";
import type { Highlight, TableText } from "../protocol";
import { store } from "../store";

export function TablesPanel() {
  return (
    <div class="side-body scroll">
      {store.exhibit.tables.value.map((table) => (
        <Table key={table.name} table={table} />
      ))}
    </div>
  );
}

function tint(found: Highlight | undefined): Record<string, string> | undefined {
  if (!found) return undefined;
  const color = PALETTE[found.color];
  return { background: `color-mix(in srgb, ${color} 20%, transparent)` };
}

const LONG = 26; // characters; longer words wrap, shorter ones never do

function cellClass(cell: string, isNumber: boolean): string {
  if (isNumber) return "number is-number";
  return cell.length > LONG ? "is-long" : "";
}

function Table({ table }: { table: TableText }) {
  const { columns, rows, highlights } = table;
  const ofRow = (row: number) =>
    highlights.find((item) => item.row === row && item.column === null);
  const ofCell = (row: number, column: number) =>
    highlights.find((item) => item.row === row && item.column === column);
  return (
    <section class="block" aria-label={table.title}>
      <h2>{table.title}</h2>
      <div class="table-box scroll">
        <table class="table">
          <thead>
            <tr>
              {columns.map(({ title, unit, is_number }, i) => (
                <th key={i} scope="col" class={is_number ? "is-number" : ""}>
                  {title}
                  {unit && <span class="unit">{prettyUnit(unit)}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, r) => (
              <tr key={r} style={tint(ofRow(r))}>
                {row.map((cell, c) => (
                  <td
                    key={c}
                    class={cellClass(cell, columns[c]?.is_number ?? false)}
                    style={tint(ofCell(r, c))}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p class="empty">Nothing yet.</p>}
      </div>
      {table.caption && <p class="hint-text muted">{table.caption}</p>}
    </section>
  );
}
