// @suite unit-long
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..', '..', 'apps', 'server', 'src')
const href = (file: string) => JSON.stringify(pathToFileURL(join(source, file)).href)

/** Loads everything that a server loads, and prints the modules there: Node's own and those of packages. */
const load = `
import { createRequire } from 'node:module'
await import(${href('main.ts')})
await import(${href('cli/server-program.ts')})
const require = createRequire(${href('main.ts')})
console.log(JSON.stringify([...process.moduleLoadList, ...Object.keys(require.cache)]))`

const built = join(source, '..', 'dist')

type Command = { command: string; args: string[]; env: NodeJS.ProcessEnv }
const bin = pathToFileURL(join(source, '..', 'bin', 'server-command.mjs')).href

test('a server loads no large module that it does not use', async () => {
  const { nodeCommand } = (await import(bin)) as { nodeCommand: (args: string[], env: NodeJS.ProcessEnv) => Command }
  const { command, args, env } = nodeCommand(['--input-type=module', '--eval', load], process.env)
  const loaded = JSON.parse(execFileSync(command, args, { env, encoding: 'utf8' })) as string[]
  const found = (what: RegExp) => loaded.filter((name) => what.test(name))
  expect(found(/dockerode/).length).toBeGreaterThan(5) // proves that the list has modules at all
  expect(found(/undici/), 'fetch: who imports node:http?').toEqual([])
  expect(found(/grpc|protobuf|[/+]ssh2/), 'see apps/server/bin/leave-out.mjs').toEqual([])
})

test('a built server starts, and each of its threads is built with it', async () => {
  const threads = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('-worker.ts') && !file.split('/').includes('testing'),
  )
  expect(threads.length).toBeGreaterThan(2)
  for (const file of threads) expect(existsSync(join(built, `${basename(file, '.ts')}.mjs`)), file).toBe(true)
  const { nodeCommand } = (await import(bin)) as { nodeCommand: (args: string[], env: NodeJS.ProcessEnv) => Command }
  const folder = mkdtempSync(join(tmpdir(), 'bl-built-'))
  const start = ['start', '--data', folder, '--port', '0', '--no-demo', '--warm', '0', '--json']
  const { command, args, env } = nodeCommand([join(built, 'server.mjs'), ...start], process.env)
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [text] = (await once(child.stdout, 'data')) as [Buffer]
    const { url } = JSON.parse(text.toString()) as { url: string }
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  } finally {
    child.kill()
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  }
})
