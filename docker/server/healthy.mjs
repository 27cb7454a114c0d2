// Whether the server of this container answers, for the image's HEALTHCHECK.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { becomeOrdinary } from './ordinary-user.mjs'

const data = process.env.BEADLOOM_DATA || '/data'
try {
  becomeOrdinary(data) // root without its capabilities may not look into the folder
  const { url } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'))
  const { ok } = await fetch(new URL('/healthz', url))
  process.exitCode = ok ? 0 : 1
} catch (error) {
  console.error(`the server does not answer: ${error.message}`)
  process.exitCode = 1
}
