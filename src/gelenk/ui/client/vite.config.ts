import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { defineConfig, type Plugin } from "vite";

const ROOT = import.meta.dirname;
const STATIC = join(ROOT, "..", "static");

/** All files below a folder. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/**
 * SHA-256 of the sources the bundle is made of: for every file, in the order of the
 * bytes of its path with slashes, the line `path NUL sha256-of-content LF`.
 */
function sourceDigest(): string {
  const single = ["index.html", "package-lock.json", "vite.config.ts"];
  const paths = [...filesBelow(join(ROOT, "src")), ...single.map((name) => join(ROOT, name))]
    .map((path) => relative(ROOT, path).split(sep).join("/"))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const digest = createHash("sha256");
  for (const path of paths) {
    const content = createHash("sha256").update(readFileSync(join(ROOT, path)));
    digest.update(`${path}\0${content.digest("hex")}\n`);
  }
  return digest.digest("hex");
}

/** Clears the old bundle (pictures in the same folder stay) and writes the digest. */
function bundleNote(): Plugin {
  return {
    name: "gelenk-bundle-note",
    apply: "build",
    buildStart() {
      rmSync(join(STATIC, "assets"), { recursive: true, force: true });
    },
    closeBundle() {
      const note = { sources: sourceDigest() };
      writeFileSync(join(STATIC, "bundle.json"), JSON.stringify(note, null, 2) + "\n");
    },
  };
}

function chunkOf(id: string): string | undefined {
  if (!id.includes("node_modules")) return undefined;
  if (/node_modules\/three\//.test(id)) return "three";
  const editor =
    /node_modules\/(codemirror|@codemirror|@lezer|@marijn|style-mod|crelt|w3c-keyname)\//;
  return editor.test(id) ? "editor" : "vendor";
}

export default defineConfig({
  base: "./",
  resolve: { alias: { react: "preact/compat", "react-dom": "preact/compat" } },
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  plugins: [bundleNote()],
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8000", ws: true } } },
  build: {
    outDir: STATIC,
    emptyOutDir: false,
    sourcemap: false,
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: {
        manualChunks: chunkOf,
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
});
