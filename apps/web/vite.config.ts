import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The server sends `script-src 'self'; style-src 'self'`, so nothing may be inlined: no module-preload script, no
 * data: URLs for scripts or styles. Assets carry a hash in their name and are served as immutable.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome125', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet: a part whose own got lost on the way would be drawn without.
    cssCodeSplit: false,
    // For the test of what the first page loads.
    manifest: true,
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        // Modules that lazy parts share would otherwise be thirty chunks of the first load, each compressed by itself.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, tags: ['$initial'] },
            { name: 'first', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  server: {
    // `node src/main.ts` of the server, or `node apps/web/dev/fixture-server.ts`.
    proxy: { '/api': 'http://127.0.0.1:4600', '/ws': { target: 'ws://127.0.0.1:4600', ws: true } },
  },
})
