import { parseArgs } from 'node:util'
import { serveFixture } from './fixture-serve.ts'
import { parseMood } from './fixture-world.ts'

/*
 * `node apps/web/dev/fixture-server.ts [--port 4600] [--empty] [--still] [--mood well|silent|broken] [--dist FOLDER]`
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4600' },
    empty: { type: 'boolean', default: false },
    still: { type: 'boolean', default: false },
    mood: { type: 'string', default: 'well' },
    dist: { type: 'string' },
  },
})
const { url, world } = await serveFixture({
  port: Number(values.port),
  empty: values.empty,
  ...(values.dist === undefined ? {} : { dist: values.dist }),
})
world.mood = parseMood(values.mood)
console.log(`${url}/`)
if (!values.still) setInterval(() => world.step(), 3000)
