import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/**
 * The server as one file, and one for each of its threads (`BUILD`, which scripts/build.mjs sets). Seven hundred modules
 * that Node loads one by one cost it 20 MB more for as long as it lives (docs/decisions/0038).
 */
const sources = {
  server: 'src/cli/server-main.ts',
  cli: 'src/cli/main.ts', // for a release, which has no sources
  'log-search-worker': 'src/api/logs/log-search-worker.ts',
  'back-up-worker': 'src/store/database/back-up-worker.ts',
  'checkpoint-worker': 'src/store/database/checkpoint-worker.ts',
  'aside-worker': 'src/aside/aside-worker.ts',
}

const nothing = join(import.meta.dirname, 'bin', 'nothing.cjs')

/**
 * V8 keeps the source for as long as the server lives, with two bytes for each character if Node finds a single one that
 * is not ASCII.
 */
const oneByteSource: Plugin = {
  name: 'one-byte-source',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\t\n\r -~]/g, escaped)
  },
}

/** Leaves out the tables of Chinese, Japanese and Korean encodings: every request to a server is in Unicode. */
const withoutTables: Plugin = {
  name: 'without-tables',
  enforce: 'pre',
  resolveId: (source, importer) =>
    importer?.includes('/iconv-lite/') && source.startsWith('./tables/') ? nothing : undefined,
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

export default defineConfig(({ mode }) => ({
  plugins: [withoutTables, oneByteSource],
  // The same as bin/leave-out.mjs says to Node.
  resolve: {
    alias: { ssh2: nothing, '@grpc/grpc-js': nothing, '@grpc/proto-loader': nothing, protobufjs: nothing },
  },
  // Native, or reached into where it is installed (simple-git-gaps.ts).
  ssr: { noExternal: true, external: ['better-sqlite3', 'simple-git'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: mode === 'server',
    rolldownOptions: {
      input: { [mode]: sources[mode as keyof typeof sources] },
      output: {
        format: 'es',
        entryFileNames: '[name].mjs',
        codeSplitting: false,
        // Names stay, so that a stack trace can be read; comments and spaces would be kept in memory.
        minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
      },
    },
  },
}))
