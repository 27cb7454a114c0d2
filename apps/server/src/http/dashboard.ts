import { existsSync } from 'node:fs'
import { join } from 'node:path'
import express, { type Router } from 'express'

/** Vite puts the hash of the content into these names. */
const HASHED = /^\/assets\//
/** Files are in the root (`/favicon.ico`); a dot further down belongs to a bead's id in a client route. */
const FILE = /^\/[^/]*\.[a-z0-9]{1,8}$/i

/**
 * The built dashboard. Hashed files are cached for ever, other files are never stored, and every other path is a client
 * route that the page itself knows.
 */
export function dashboard(folder: string): Router {
  const router = express.Router()
  const page = join(folder, 'index.html')

  router.use((request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next()
    response.status(405).set('Allow', 'GET, HEAD').type('text/plain').send('Only GET is allowed here.\n')
  })
  router.use(
    express.static(folder, {
      index: false,
      redirect: false,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders(response) {
        if (HASHED.test(response.req.url ?? ''))
          response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      },
    }),
  )
  router.use((request, response) => {
    if (HASHED.test(request.path) || FILE.test(request.path))
      return void response.status(404).type('text/plain').send('File not found.\n')
    if (!existsSync(page))
      return void response.status(503).type('text/plain').send('The dashboard is not built. Run `npm start` once.\n')
    response.sendFile(page, { cacheControl: false, etag: false, lastModified: false })
  })
  return router
}
