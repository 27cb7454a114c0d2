import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dockerIsHere } from '@beadloom/server/src/container/testing/docker-world.ts'
import { openDocker } from './docker-under-test.ts'
import { engineContract, ofSandboxes } from './engine-contract.ts'
import { call, theEndOf, type EngineUnderTest } from './engine-under-test.ts'

const LISTEN = `
  import net from 'node:net'
  const server = net.createServer((socket) => socket.end('mine')).listen(4711, '::1')
  const said = await new Promise((resolve) => {
    server.on('error', ({ code }) => resolve(code))
    server.on('listening', () => net.connect({ host: '::1', port: 4711 }).on('data', (bytes) => resolve(String(bytes))))
  })
  console.log(said)
  server.close()`

describe.skipIf(!(await dockerIsHere(process.env)))('Docker', () => {
  engineContract(() => openDocker(process.env, ['docker']), {}, ofSandboxes)

  describe.skipIf(!existsSync('/proc/sys/net/ipv6'))('on a kernel with IPv6', () => {
    let it: EngineUnderTest
    beforeAll(async () => void (it = await openDocker(process.env, ['docker'])))
    afterAll(() => it.close())

    test('has ::1 in a sandbox, as its hosts file says for localhost', async () => {
      const sandbox = await it.open()
      const { stdout, stderr } = await theEndOf(await sandbox.run(call(LISTEN)))
      expect(`${stdout}${stderr}`).toBe('mine\n')
    })
  })
})
