/** Bundles the tests and runs them under Node; arguments are parts of file names. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;
const wanted = process.argv.slice(2);
const entryPoints = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .map((name) => join(folder, name));
const outdir = mkdtempSync(join(tmpdir(), "gelenk-client-tests-"));
let code = 1;
try {
  await build({
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outExtension: { ".js": ".mjs" },
    sourcemap: "inline",
    logLevel: "warning",
  });
  const files = readdirSync(outdir, { recursive: true })
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => join(outdir, name));
  const args = ["--enable-source-maps", "--test", ...files];
  code = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
process.exit(code);
