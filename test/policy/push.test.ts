// @suite policy-long
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { PushView } from '@beadloom/core/api/projects/environment-api.ts'
import { dockerIsHere } from '@beadloom/server/src/container/testing/docker-world.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Registry } from '../kubernetes/registry.ts'
import { CommandLine } from '../support/command-line.ts'
import { shellProject } from '../support/shell-project.ts'
import { TerminalWorld } from '../support/terminal-world.ts'

/* `beadloom environment push` at a terminal, stopped in its middle and to its end; the registry is a real one. */

let world: TerminalWorld
let registry: Registry
let name: string

describe.skipIf(!(await dockerIsHere(process.env)))('a push of a project’s image', () => {
  beforeAll(async () => {
    world = await TerminalWorld.start()
    const port = await freePort()
    registry = await Registry.start({ folder: join(world.folder, 'registry'), addresses: ['127.0.0.1'], port })
    name = `127.0.0.1:${port}/team`
    await world.addProject('p', shellProject({ agent: 'true\n', config: { setup: 'echo made > made.txt' } }), [])
  })
  afterAll(async () => {
    await registry?.stop()
    await world?.close()
  })

  test('asks for a registry if its project is on no cluster', async () => {
    const { code, stderr } = await world.bl('environment', 'push', 'p')
    expect(code).not.toBe(0)
    expect(stderr).toContain('Name a registry: HOST[:PORT][/PATH]')
    expect(await ask('GET')).toMatchObject({ status: 404 })
  })

  test('is stopped by --stop: its followers are told, and the registry has nothing by that name', async () => {
    const held = Promise.withResolvers<void>()
    registry.hold = held.promise
    const follower = new CommandLine(['environment', 'push', 'p', '--registry', name, '--data', world.data])
    await vi.waitUntil(() => registry.held > 0, { timeout: 240_000 })
    expect(await ask('GET')).toMatchObject({ status: 200, body: { state: 'running', registry: name } })
    const elsewhere = await ask('POST', { registry: 'elsewhere.example/team' })
    expect(elsewhere).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining(name) } } })

    const { code, stdout } = await world.bl('environment', 'push', 'p', '--stop')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('The push was stopped') })
    const told = await follower.ended
    expect(told.code).toBe(1)
    expect(told.stderr).toContain('The push was stopped. Layers that were sent are not sent again.')
    expect(await ask('GET')).toMatchObject({ body: { state: 'failed', image: null } })
    expect(registry.pushed).toEqual([])
    registry.hold = null
    held.resolve()
  })

  test('cannot be stopped unless it runs', async () => {
    expect(await ask('DELETE')).toMatchObject({ status: 409, body: { error: { message: 'no push is running' } } })
    const { code, stderr } = await world.bl('environment', 'push', 'p', '--stop')
    expect(code).not.toBe(0)
    expect(stderr).toContain('no push is running')
    expect(await ask('DELETE', undefined, 'nobody')).toMatchObject({ status: 404 })
  })

  test('begins again after that, and names the name and digest in the registry', async () => {
    const pushed = await world.bl('environment', 'push', 'p', '--registry', name, '--json')
    expect(pushed, pushed.stderr).toMatchObject({ code: 0 })
    const { image, state, commit } = JSON.parse(pushed.stdout) as PushView
    expect(state).toBe('done')
    expect(commit).toMatch(/^[0-9a-f]{40}$/)
    const [, repository = '', tag = ''] = /^[^/]+\/(.+):([0-9a-f]{40})$/.exec(image?.reference ?? '') ?? []
    const answer = await fetch(`http://${name.split('/')[0]}/v2/${repository}/manifests/${tag}`)
    expect(answer.headers.get('docker-content-digest')).toBe(image?.digest)
    const again = await world.bl('environment', 'push', 'p', '--registry', name)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(`Digest  ${image?.digest}`) })
  })
})

async function ask(method: string, body?: object, project = 'p'): Promise<{ status: number; body: unknown }> {
  const { url, dashboard } = world.up
  const response = await fetch(new URL(`/api/projects/${project}/environment/push`, url), {
    method,
    headers: {
      authorization: `Bearer ${new URL(dashboard).searchParams.get('token') ?? ''}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
