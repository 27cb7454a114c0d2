import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..', '..', 'apps', 'server', 'src')
const href = (file: string) => JSON.stringify(pathToFileURL(join(source, file)).href)

/** Loads what a server loads, and says which of Node's own modules and of the packages' are there. */
const load = `
import { createRequire } from 'node:module'
await import(${href('main.ts')})
await import(${href('cli/server-program.ts')})
const require = createRequire(${href('main.ts')})
console.log(JSON.stringify([...process.moduleLoadList, ...Object.keys(require.cache)]))`

type Command = { command: string; args: string[]; env: NodeJS.ProcessEnv }
const bin = pathToFileURL(join(source, '..', 'bin', 'server-command.mjs')).href

test('a server loads nothing large that it does not use', async () => {
  const { nodeCommand } = (await import(bin)) as { nodeCommand: (args: string[], env: NodeJS.ProcessEnv) => Command }
  const { command, args, env } = nodeCommand(['--input-type=module', '--eval', load], process.env)
  const loaded = JSON.parse(execFileSync(command, args, { env, encoding: 'utf8' })) as string[]
  const found = (what: RegExp) => loaded.filter((name) => what.test(name))
  expect(found(/dockerode/).length).toBeGreaterThan(5) // it was looked at in earnest
  expect(found(/undici/), 'fetch: who imports node:http?').toEqual([])
  expect(found(/grpc|protobuf|[/+]ssh2/), 'see apps/server/bin/leave-out.mjs').toEqual([])
})
