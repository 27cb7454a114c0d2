import { defineConfig } from 'vite'

/** One file that needs nothing but Node 24: containers have no `node_modules` of ours. */
export default defineConfig({
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'src/main.ts',
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false, // a stack trace from a container should be readable
    rolldownOptions: { output: { format: 'es', entryFileNames: 'agent.mjs', codeSplitting: false } },
  },
})
