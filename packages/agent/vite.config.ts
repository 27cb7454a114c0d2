import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const entries = { agent: 'src/main.ts', supervisor: 'src/supervisor/main.ts' }
/** The folder in which each is made. */
const folders = { agent: 'dist/agent', supervisor: 'dist/supervisor' }

const root = import.meta.dirname
/** The shell script that starts the supervisor is no module: it goes along as it is. */
const processOne: Plugin = {
  name: 'process-one',
  writeBundle: ({ dir }) =>
    copyFileSync(join(root, 'src', 'supervisor', 'process-one.sh'), join(dir ?? folders.supervisor, 'process-one.sh')),
}

/**
 * Asks Node for its modules where the code would import them: an import looks at everything that a module exports, and so
 * loads what nobody here uses (all of `fetch` with `http`, workers with `util`). That is 1 MB of each process that waits, and
 * 20 ms of its start. A form that is not known here stays an import.
 */
const askForModules: Plugin = {
  name: 'ask-for-modules',
  renderChunk: (code) => ({
    code: code.replaceAll(/^import (\{[^}]*\}) from ("node:[a-z/_]+");$/gm, (_, names: string, module: string) => {
      return `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule(${module});`
    }),
    map: null,
  }),
}

/**
 * `--mode agent` and `--mode supervisor`: files that need nothing but Node 24; images have nothing else. The agent's are in
 * a folder of their own: what the built-in agent alone needs is nine tenths of it, and reading that would cost each other
 * session a third of its start. The supervisor's entry starts the agent before the rest of the supervisor is read.
 */
export default defineConfig(({ mode }) => {
  const name = mode === 'supervisor' ? 'supervisor' : 'agent'
  return {
    plugins: [askForModules, ...(name === 'supervisor' ? [processOne] : [])],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: entries[name],
      target: 'node24',
      outDir: folders[name],
      emptyOutDir: true,
      minify: false, // a stack trace from a container should be readable
      rolldownOptions: {
        output: {
          format: 'es',
          entryFileNames: `${name}.mjs`,
          chunkFileNames: '[name].mjs',
          // Apart, so that its own few modules of Node are all that is loaded before it runs.
          ...(name === 'supervisor' && {
            codeSplitting: { groups: [{ name: 'supervisor-first', test: /\/first-process\.ts$/ }] },
          }),
        },
      },
    },
  }
})
