import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '@beadloom/server/src/ports/sandbox.ts'
import { toTheEnd, type EngineUnderTest } from '../contract/engine-under-test.ts'
import { openKubernetes } from '../contract/kubernetes-under-test.ts'
import { killOnNode, missingCluster, withoutNetwork } from './cluster.ts'

const SANDBOXES = 40
const small = { cpus: 0.1, memoryBytes: 128 * 1024 ** 2 }

/** Prints the view and the reach of a session, line by line. */
const LOOK = `
import { accessSync, constants, existsSync, readFileSync, readdirSync } from 'node:fs'
import net from 'node:net'
import { networkInterfaces } from 'node:os'
const lines = []
lines.push('uid ' + process.getuid())
const status = readFileSync('/proc/self/status', 'utf8')
lines.push('capabilities ' + /CapEff:\\s*(\\w+)/.exec(status)[1], 'no new privileges ' + /NoNewPrivs:\\s*(\\d)/.exec(status)[1], 'seccomp ' + /Seccomp:\\s*(\\d)/.exec(status)[1])
lines.push('token ' + existsSync('/var/run/secrets/kubernetes.io/serviceaccount/token'))
const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\\n').map((line) => line.split(' ')[4]).filter((path) => path && !/^\\/(proc|sys|dev)(\\/|$)/.test(path) && path !== '/')
lines.push('mounts ' + mounts.toSorted().join(' '))
const may = (path) => { try { accessSync(path, constants.W_OK); return true } catch { return false } }
const places = ['/', '/etc', '/opt', '/run', '/run/lock', '/usr', '/usr/local', '/var', '/var/lib', '/var/tmp', '/tmp', '/home', process.env.HOME, process.cwd()]
lines.push('writes ' + places.filter(may).join(' '))
lines.push('last words ' + ['/dev/termination-log', '/opt/beadloom/closed/said'].filter(may).join(' '))
lines.push('others ' + readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => { try { return readFileSync('/proc/' + pid + '/cmdline', 'utf8') } catch { return '' } }).some((line) => line.includes('sleep 3600')))
const targets = ['10.250.0.1:6443', '10.250.0.11:10250', '10.250.0.12:10250', '10.252.0.1:443', '169.254.169.254:80', '1.1.1.1:53']
const reach = (target) => new Promise((resolve) => {
  const [host, port] = target.split(':')
  const socket = net.connect({ host, port: Number(port) })
  const say = (open) => { socket.destroy(); resolve(open) }
  socket.once('connect', () => say(true)).once('error', () => say(false)).setTimeout(2000, () => say(false))
})
const open = []
for (const target of targets) if (await reach(target)) open.push(target)
lines.push('reaches ' + (open.join(' ') || 'nothing'))
lines.push('service links ' + Object.keys(process.env).some((name) => name.endsWith('_SERVICE_HOST') && name !== 'KUBERNETES_SERVICE_HOST'))
console.log(lines.join('\\n'))
`

describe.skipIf(missingCluster !== null)('pods', () => {
  let engine: EngineUnderTest
  beforeAll(async () => {
    engine = await openKubernetes(withoutNetwork, killOnNode)
  })
  afterAll(() => engine?.close())

  test('see nothing of their node, and reach nothing', async () => {
    const { stdout } = await toTheEnd(await engine.open(small), LOOK)
    const lines = stdout.toString().trim().split('\n')
    expect(lines).toContain('uid 1000')
    expect(lines).toContain('capabilities 0000000000000000')
    expect(lines).toContain('no new privileges 1')
    expect(lines).toContain('seccomp 2')
    expect(lines).toContain('token false')
    expect(lines).toContain('writes /var/tmp /tmp /home/agent /workspace')
    expect(lines).toContain('last words ')
    expect(lines).toContain('others false')
    expect(lines).toContain('reaches nothing')
    expect(lines).toContain('service links false')
    const mounts = lines
      .find((line) => line.startsWith('mounts '))
      ?.split(' ')
      .slice(1)
    expect(mounts).toEqual(expect.arrayContaining(['/home/agent', '/workspace']) as unknown as string[])
    for (const path of mounts ?? [])
      expect(path).toMatch(
        /^\/(home\/agent|workspace|tmp|var\/tmp|var\/lib\/beadloom|opt\/beadloom\/closed\/said|etc\/(hosts|hostname|resolv\.conf))$/,
      )
  })

  test(`are ${SANDBOXES} at once on two nodes, each with its own session`, { timeout: 900_000 }, async () => {
    const opened: Sandbox[] = []
    for (let at = 0; at < SANDBOXES; at++) opened.push(await engine.open(small))
    const ends = await Promise.all(
      opened.map(async (sandbox, at) => {
        const { stdout } = await toTheEnd(sandbox, `console.log('number ${at}')`)
        return { said: stdout.toString(), node: await sandbox.node() }
      }),
    )
    expect(ends.map(({ said }) => said)).toEqual(opened.map((_, at) => `number ${at}\n`))
    expect(new Set(ends.map(({ node }) => node)).size).toBe(2)
    await Promise.all(opened.map((sandbox) => sandbox.close()))
  })
})
