// @suite contract
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { EngineError } from '../ports/engine.ts'
import type { SessionCall } from '../ports/sandbox.ts'
import { systemClock } from '../process/clock.ts'
import { DockerClient } from './docker-client.ts'
import { dockerIsHere, DockerWorld, never } from './testing/docker-world.ts'
import { SandboxEngine } from './sandboxes/sandbox-engine.ts'
import { useDocker } from './testing/use-docker.ts'
import { lyingDaemon } from './testing/fake-daemon.ts'

const here = await dockerIsHere(process.env)

describe.skipIf(!here)('DockerContainers on real Docker', () => {
  const docker = useDocker()

  describe('a container, seen from inside', () => {
    const look = `
      import fs from 'node:fs'
      import net from 'node:net'
      import os from 'node:os'
      import { execFileSync } from 'node:child_process'
      const status = Object.fromEntries(fs.readFileSync('/proc/self/status', 'utf8').split('\\n').map((line) => line.split(':\\t')))
      const tried = (work) => { try { work(); return 'done' } catch (error) { return error.code ?? String(error) } }
      const reach = (options) => new Promise((resolve) => {
        const socket = net.connect(options, () => socket.write('hello'))
        socket.on('data', (bytes) => { resolve(bytes.toString()); socket.destroy() })
        socket.on('error', (error) => resolve(error.code))
      })
      console.log(JSON.stringify({
        uid: process.getuid(), gid: process.getgid(), user: os.userInfo().username, home: os.homedir(), cwd: process.cwd(),
        caps: status.CapEff, bounding: status.CapBnd, noNewPrivs: status.NoNewPrivs, seccomp: status.Seccomp,
        interfaces: Object.keys(os.networkInterfaces()),
        outside: await reach({ host: '1.1.1.1', port: 53 }),
        dockerSocket: ['/var/run/docker.sock', '/run/docker.sock'].some((path) => fs.existsSync(path)),
        linkRead: fs.readFileSync('/run/beadloom/program.mjs', 'utf8').length > 0,
        linkWrite: tried(() => fs.writeFileSync('/run/beadloom/x', '')),
        linkSocket: await reach({ path: '/run/beadloom/link.sock' }),
        agentWrite: tried(() => fs.writeFileSync('/opt/beadloom/agent.mjs', '')),
        etcWrite: tried(() => fs.writeFileSync('/etc/passwd', '')),
        workspaceWrite: tried(() => fs.writeFileSync('/workspace/x', '')),
        homeWrite: tried(() => fs.writeFileSync('/home/agent/x', '')),
        tmpRuns: execFileSync('sh', ['-c', 'printf "#!/bin/sh\\necho ran" > /tmp/x; chmod 755 /tmp/x; /tmp/x']).toString().trim(),
        mknod: execFileSync('sh', ['-c', 'mknod /tmp/sda b 8 0 2>/dev/null; echo $?']).toString().trim(),
        oom: fs.readFileSync('/proc/self/oom_score_adj', 'utf8').trim(),
        environment: process.env,
      }))`

    test('has no rights, no network and nothing of the host but the link', async () => {
      const spec = await docker.world.spec(docker.image, look)
      const server = createServer((socket) => socket.on('data', (bytes) => socket.end(`${bytes} to you`)))
      const socketPath = join(spec.linkFolder ?? '', 'link.sock')
      await new Promise<void>((resolve) => server.listen(socketPath, resolve))
      await chmod(socketPath, 0o666)
      const { id } = await docker.world.engine.create(spec)
      const { stdout, stderr, exit } = await docker.world.run(id)
      server.close()
      expect(stderr.toString()).toBe('')
      expect(exit).toMatchObject({ code: 0, oomKilled: false, lost: false })
      expect(exit.finishedAt).toBeGreaterThanOrEqual(exit.startedAt)
      const { environment, ...seen } = JSON.parse(stdout.toString())
      expect(seen).toEqual({
        uid: 1000,
        gid: 1000,
        user: 'agent',
        home: '/home/agent',
        cwd: '/workspace',
        caps: '0000000000000000',
        bounding: '0000000000000000',
        noNewPrivs: '1',
        seccomp: '2',
        interfaces: ['lo'],
        outside: 'ENETUNREACH',
        dockerSocket: false,
        linkRead: true,
        linkWrite: 'EROFS',
        linkSocket: 'hello to you',
        agentWrite: 'EACCES',
        etcWrite: 'EACCES',
        workspaceWrite: 'done',
        homeWrite: 'done',
        tmpRuns: 'ran',
        mknod: '1',
        oom: '500',
      })
      const trust =
        docker.world.options.caBundle === null
          ? []
          : [
              'CURL_CA_BUNDLE',
              'GIT_SSL_CAINFO',
              'NODE_EXTRA_CA_CERTS',
              'PIP_CERT',
              'REQUESTS_CA_BUNDLE',
              'SSL_CERT_FILE',
            ]
      expect(Object.keys(environment).toSorted()).toEqual(
        [
          'ANTHROPIC_API_KEY',
          'ANTHROPIC_BASE_URL',
          'CI',
          'GIT_TERMINAL_PROMPT',
          'HOME',
          'HOSTNAME',
          'LANG',
          'OPENAI_API_KEY',
          'OPENAI_BASE_URL',
          'PATH',
          'PWD',
          ...trust,
        ].toSorted(),
      )
    })
  })

  test('a container that would be less confined than asked is removed, and the error names the field', async () => {
    const real = (process.env['DOCKER_HOST'] ?? '').replace(/^unix:\/\//, '') || '/var/run/docker.sock'
    const daemon = await lyingDaemon(real, (info) => {
      Object.assign(info['HostConfig'] as object, { CapDrop: null, IpcMode: 'host' })
    })
    const liar = await DockerWorld.open(process.env, { dockerHost: daemon.dockerHost })
    const spec = await liar.spec(docker.image, '')
    const failure = await liar.engine.create(spec).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EngineError)
    expect(failure).toMatchObject({ kind: 'weaker-than-asked' })
    expect(String(failure)).toMatch(/CapDrop: asked \["ALL"\], got null.*IpcMode: asked "private", got "host"/)
    expect(await docker.world.engine.inspect(spec.name)).toEqual({ state: 'gone' })
    await liar.close()
    await daemon.close()
  })

  test('output past the supervisor takes little of the engine’s disk, and the last words are reported', async () => {
    const { id } = await docker.world.create(
      docker.image,
      `for (let n = 0; n < 100; n++) process.stdout.write(('x'.repeat(99) + '\\n').repeat(1000)); process.stdout.write('last words\\n')`,
    )
    expect((await docker.world.run(id)).stdout).toHaveLength(10_000_011)
    expect(await docker.world.engine.lastWords(id)).toMatch(/x\nlast words\n$/)
    const log = await new DockerClient(docker.world.options).stream({
      method: 'GET',
      path: `/containers/${id}/logs`,
      query: { stdout: true, stderr: true },
      signal: never,
    })
    expect((await buffer(log)).length).toBeLessThan(3_000_000)
    await docker.world.engine.remove(id)
  })

  describe('a sandbox without a supervisor', () => {
    const [execution, kind] = [parseExecutionId('ex-0123456789'), 'work']
    let engine: SandboxEngine
    beforeAll(async () => {
      const [folder, copies] = ['links', 'copies'].map((name) => join(docker.world.folder, name)) as [string, string]
      for (const one of [folder, copies]) await mkdir(one)
      const report = (error: unknown) => expect.fail(String(error))
      engine = new SandboxEngine(docker.world.engine, { folder, copies, bounds: {}, clock: systemClock, report })
    })
    const call: SessionCall = {
      order: {
        session: sessionIdOf(execution, 1),
        execution,
        workspace: '/workspace',
        git: { url: '', branch: '', commit: '', author: { name: '', email: '' } },
        work: { kind: 'setup', command: null, timeoutMs: 1000 },
      },
      handlers: { git: () => {}, model: () => {} },
      onRequest: () => {},
    }

    test('begins no session if its first process dies, and the error has its last words', async () => {
      const { labels: _, linkFolder: __, magic: ___, image, ...asked } = await docker.world.spec(docker.image, '')
      const spec = { ...asked, environment: image, owner: execution, purpose: kind }
      const { sandbox } = await engine.open(spec)
      // In place of the supervisor there is one line, which imports a file that this link's folder does not have.
      await expect(sandbox.run(call)).rejects.toThrow(
        /no session could be started in .*: its container ended with exit code 1\. It said: [\s\S]*Cannot find module '\/run\/beadloom\/program\.mjs'/,
      )
      await sandbox.close()
    })

    test('that is killed before its session begins is lost, not refused', async () => {
      const spec = await docker.world.spec(docker.image, 'setInterval(() => {}, 1000)')
      const { id } = await docker.world.engine.create(spec)
      const sandbox = engine.sandbox({ id, name: spec.name })
      const began = sandbox.run(call)
      const told = expect(began).rejects.toMatchObject({
        kind: 'lost',
        message: expect.stringMatching(/was ended before its session began \(exit code 137\)/),
      })
      await expect.poll(async () => (await sandbox.state().catch(() => null))?.state).toBe('running')
      execFileSync('docker', ['kill', id])
      await told
      await sandbox.close()
    })

    test('can be stopped, and its contents can be saved, like one of a server without supervisors', async () => {
      const spec = await docker.world.spec(
        docker.image,
        `import fs from 'node:fs'; fs.writeFileSync('/workspace/work', 'half done'); setInterval(() => {}, 1000)`,
      )
      const { id } = await docker.world.engine.create(spec)
      await docker.world.engine.start(id)
      const sandbox = engine.sandbox({ id, name: spec.name })
      await expect.poll(async () => String(await sandbox.readFile('/workspace/work', 100))).toBe('half done')
      const running = await sandbox.adopt(call)
      const ended = running.ended(never)
      await sandbox.stop(0)
      expect(await ended).toMatchObject({ lost: false, code: expect.toSatisfy((code) => [137, 143].includes(code)) })
      const tar = await buffer(await sandbox.readFolder('/workspace'))
      expect(tar.includes('half done')).toBe(true)
      await sandbox.close()
    })
  })

  test('a stopped container becomes an image that starts like it and claims no owner', async () => {
    const { id } = await docker.world.create(
      docker.image,
      `import fs from 'node:fs'; fs.writeFileSync('/workspace/made', 'by setup')`,
    )
    await docker.world.run(id)
    const tag = `beadloom/test-commit:${docker.world.options.instance}`
    const committed = await docker.world.engine.commit(id, tag)
    try {
      expect(await docker.world.engine.findImage(tag)).toBe(committed)
      const next = await docker.world.create(
        committed,
        `import fs from 'node:fs'; console.log(process.getuid(), fs.readFileSync('/workspace/made', 'utf8'))`,
      )
      expect((await docker.world.run(next.id)).stdout.toString()).toBe('1000 by setup\n')
      await docker.world.engine.remove(next.id)
      const { labels } = await docker.world.imageConfig(tag)
      expect(labels).toMatchObject({ 'beadloom.instance': '', 'beadloom.execution': '', 'beadloom.kind': '' })
    } finally {
      await docker.world.engine.remove(id)
      await docker.world.removeImage(tag)
    }
  })
})
