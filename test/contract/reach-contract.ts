import { createServer, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { EGRESS_PORT } from '@beadloom/core/execution/session-order.ts'
import { expect } from 'vitest'
import type { Contract } from './engine-contract.ts'
import { call, theEndOf, toTheEnd } from './engine-under-test.ts'

/** @param port the port of a server on the host */
const look = (port: number): string => `
  import fs from 'node:fs'
  import net from 'node:net'
  import os from 'node:os'
  import { execFileSync } from 'node:child_process'
  const tried = (work) => { try { work(); return 'done' } catch (error) { return error.code ?? String(error) } }
  const refused = (work) => ['EACCES', 'EROFS', 'EPERM'].includes(tried(work))
  const reach = (options) => new Promise((resolve) => {
    const socket = net.connect(options, () => socket.write('hello'))
    socket.on('data', (bytes) => { resolve(bytes.toString()); socket.destroy() })
    socket.on('error', (error) => resolve(error.code))
  })
  const own = net.createServer((socket) => socket.end('mine')).listen(4711, '127.0.0.1')
  await new Promise((resolve) => own.on('listening', resolve))
  console.log(JSON.stringify({
    uid: process.getuid(), gid: process.getgid(), user: os.userInfo().username, home: os.homedir(), cwd: process.cwd(),
    rights: fs.readFileSync('/proc/self/status', 'utf8').match(/CapEff:\\s*(\\w+)|NoNewPrivs:\\s*\\w/g).map((line) => line.split(':\\t')[1]),
    processes: fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length < 10,
    interfaces: Object.keys(os.networkInterfaces()),
    outside: await reach({ host: '1.1.1.1', port: 53 }),
    host: await reach({ host: '127.0.0.1', port: ${port} }),
    loopback: await reach({ host: '127.0.0.1', port: 4711 }),
    dockerSocket: ['/var/run/docker.sock', '/run/docker.sock'].some((path) => fs.existsSync(path)),
    folders: ['/root', '/home'].flatMap((path) => fs.existsSync(path) && !refused(() => fs.readdirSync(path)) ? fs.readdirSync(path) : []),
    linkWrite: refused(() => fs.writeFileSync('/run/beadloom/x', '')),
    model: await ask('/v1/me'),
    git: await ask('/git/me'),
    other: await ask('/other'),
    agentWrite: refused(() => fs.writeFileSync('/opt/beadloom/agent.mjs', '')),
    etcWrite: refused(() => fs.writeFileSync('/etc/passwd', '')),
    usrWrite: refused(() => fs.writeFileSync('/usr/bin/x', '')),
    rootWrite: refused(() => fs.writeFileSync('/x', '')),
    workspaceWrite: tried(() => fs.writeFileSync('/workspace/x', '')),
    homeWrite: tried(() => fs.writeFileSync('/home/agent/x', '')),
    tmp: fs.readdirSync('/tmp'),
    tmpRuns: execFileSync('sh', ['-c', 'printf "#!/bin/sh\\necho ran" > /tmp/x; chmod 755 /tmp/x; /tmp/x']).toString().trim(),
    gitInit: execFileSync('git', ['-C', '/workspace', 'init', '-q', '--template=', '.']).toString(),
    node: process.version.split('.')[0],
    environment: Object.fromEntries(['HOME', 'CI', 'OPENAI_BASE_URL', 'OPENAI_API_KEY', 'GIT_TERMINAL_PROMPT', 'SECRET'].map((name) => [name, process.env[name]])),
  }))
  own.close()`

/** @param many more connections than may have a stream at once: the others wait */
const askProxy = (many: number): string => `
  import net from 'node:net'
  const ask = () => new Promise((resolve) => {
    let text = ''
    const socket = net.connect({ host: '127.0.0.1', port: ${EGRESS_PORT} }, () => socket.write('hello'))
    socket.on('data', (bytes) => (text += bytes))
    socket.on('end', () => resolve(text))
    socket.on('error', (error) => resolve(error.code))
  })
  console.log(JSON.stringify(await Promise.all(Array.from({ length: ${many} }, ask))))`

/** The identity of a session, and its reach. Each adapter tests itself how strictly it confines a session. */
export function reachContract({ it, promise }: Contract): void {
  promise('is its own workspace, home and /tmp, and nothing of the host but those who answer it', async () => {
    process.env['SECRET'] = 'of the server'
    const host = createServer((socket) => socket.end('the host'))
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const { port } = host.address() as AddressInfo
    const sandbox = await it.engine.open()
    let requests = 0
    const session = call(look(port), {
      model: (request, response) => void response.end(`the model at ${request.url}`),
      git: (request, response) => void response.end(`the hub at ${request.url}`),
    })
    const { stdout, stderr, exit } = await theEndOf(await sandbox.run({ ...session, onRequest: () => requests++ }))
    host.close()
    delete process.env['SECRET']
    expect(requests).toBeGreaterThanOrEqual(4)
    expect(stderr.toString()).toBe('')
    expect(exit).toMatchObject({ code: 0 })
    expect(JSON.parse(stdout.toString())).toEqual({
      uid: 1000,
      gid: 1000,
      user: 'agent',
      home: '/home/agent',
      cwd: '/workspace',
      rights: ['0000000000000000', '1'],
      processes: true,
      interfaces: ['lo'],
      outside: 'ENETUNREACH',
      host: 'ECONNREFUSED',
      loopback: 'mine',
      dockerSocket: false,
      folders: ['agent'],
      linkWrite: true,
      model: 'the model at /v1/me',
      git: 'the hub at /git/me',
      other: 'nothing here: the link serves /git/ and /v1/ only\n',
      agentWrite: true,
      etcWrite: true,
      usrWrite: true,
      rootWrite: true,
      workspaceWrite: 'done',
      homeWrite: 'done',
      tmp: [],
      tmpRuns: 'ran',
      gitInit: '',
      node: 'v24',
      environment: {
        HOME: '/home/agent',
        CI: '1',
        OPENAI_BASE_URL: 'http://127.0.0.1:4610/v1',
        OPENAI_API_KEY: 'beadloom',
        GIT_TERMINAL_PROMPT: '0',
      },
    })
  })

  promise('is hosts outside, by the proxy that it is given, and by none after that', async () => {
    const sandbox = await it.engine.open()
    const taken: Duplex[] = []
    const egress = {
      take: (connection: Duplex) => {
        taken.push(connection)
        connection.once('data', (bytes: Buffer) => connection.end(`outside heard ${String(bytes)}`))
      },
      close: async () => void taken.splice(0),
    }
    let requests = 0
    const session = call(askProxy(40), { egress })
    const { stdout } = await theEndOf(await sandbox.run({ ...session, onRequest: () => requests++ }))
    expect(JSON.parse(stdout.toString())).toEqual(Array.from({ length: 40 }, () => 'outside heard hello'))
    expect(requests).toBe(1 + 40) // 1: its order
    const after = await theEndOf(await sandbox.run(call(askProxy(1))))
    expect(JSON.parse(after.stdout.toString())).toEqual(['ECONNRESET'])
  })

  promise('is an empty /tmp with each session', async () => {
    const sandbox = await it.engine.open()
    const look = `import fs from 'node:fs'; console.log(fs.readdirSync('/tmp').length); fs.writeFileSync('/tmp/x', '')`
    for (let sessions = 0; sessions < 2; sessions++)
      expect((await toTheEnd(sandbox, look)).stdout.toString()).toBe('0\n')
  })
}
