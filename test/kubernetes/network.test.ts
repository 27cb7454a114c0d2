import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EngineUnderTest } from '../contract/engine-under-test.ts'
import { toTheEnd } from '../contract/engine-under-test.ts'
import { openKubernetes } from '../contract/kubernetes-under-test.ts'
import { byPolicy, killOnNode, missingCluster, withoutNetwork } from './cluster.ts'

const [host = '', port = ''] = (byPolicy.probe ?? '').split(':')
const REACH = `import net from 'node:net'
  const socket = net.connect({ host: '${host}', port: ${port || 1} })
  const say = (word) => { console.log(word); process.exit() }
  socket.on('connect', () => say('open')).on('error', () => say('closed')).setTimeout(3000, () => say('closed'))`

describe.skipIf(missingCluster !== null)('the network of a pod', () => {
  let closed: EngineUnderTest
  let denied: EngineUnderTest
  beforeAll(async () => {
    closed = await openKubernetes(withoutNetwork, killOnNode)
    denied = await openKubernetes(byPolicy, killOnNode)
  })
  afterAll(async () => {
    await closed?.close()
    await denied?.close()
  })

  test('is closed by a RuntimeClass without network', async () => {
    const { stdout } = await toTheEnd(await closed.open(), REACH)
    expect(stdout.toString()).toBe('closed\n')
  })

  test('is denied by the policy; otherwise nothing starts, and the reason is given', async () => {
    const sandbox = await denied.open()
    const refused = await sandbox.warm().then(
      () => null,
      (error: unknown) => error,
    )
    if (refused === null) expect((await toTheEnd(sandbox, REACH)).stdout.toString()).toBe('closed\n')
    else expect(refused).toMatchObject({ kind: 'weaker-than-asked', message: expect.stringContaining('runtimeClass') })
  })
})
