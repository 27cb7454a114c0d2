import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const entries = { agent: 'src/main.ts', supervisor: 'src/supervisor/main.ts' }

const root = import.meta.dirname
/** The shell script that starts the supervisor is no module: it goes along as it is. */
const processOne: Plugin = {
  name: 'process-one',
  writeBundle: ({ dir }) =>
    copyFileSync(join(root, 'src', 'supervisor', 'process-one.sh'), join(dir ?? 'dist', 'process-one.sh')),
}

/** `--mode agent` and `--mode supervisor`: one file each that needs nothing but Node 24; images have nothing else. */
export default defineConfig(({ mode }) => {
  const name = mode === 'supervisor' ? 'supervisor' : 'agent'
  return {
    plugins: name === 'supervisor' ? [processOne] : [],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: entries[name],
      target: 'node24',
      outDir: 'dist',
      emptyOutDir: name === 'agent',
      minify: false, // a stack trace from a container should be readable
      rolldownOptions: { output: { format: 'es', entryFileNames: `${name}.mjs`, codeSplitting: false } },
    },
  }
})
