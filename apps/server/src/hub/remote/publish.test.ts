// @suite unit-long
import { execFileSync, spawn } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { execution, type Kit, projectId, startKit } from '../hub-kit.ts'
import { finishedWork } from './finished-work-kit.ts'

const branch = 'beads-bl-1-thing'
const ref = `refs/heads/${branch}`
let kit: Kit
let bare: string
let commit: string
beforeEach(async () => {
  kit = await startKit()
  const source = await kit.source('lib')
  bare = join(kit.root, 'remote.git')
  await kit.git(kit.root, 'clone', '-q', '--bare', source, bare)
  commit = await finishedWork(kit, bare, branch)
})
const closing: Server[] = []
afterEach(async () => {
  for (const server of closing.splice(0)) server.close()
  await kit.close()
})

const hubFolder = () => join(kit.root, 'data', 'hub', `${projectId}.git`)

test('a finished branch and the work branch arrive at the remote, and a repeated push is fine', async () => {
  await kit.hub.workTip(kit.project(bare), 'beadloom/work', 'main')
  await kit.hub.integrate(projectId, 'beadloom/work', commit, 'Merge')
  const refs = [ref, 'refs/heads/beadloom/work']
  expect(await kit.hub.publish(kit.project(bare), refs)).toEqual({ ok: true, failed: [] })
  expect(await kit.git(bare, 'rev-parse', branch)).toBe(commit)
  expect(await kit.git(bare, 'rev-parse', 'beadloom/work')).toBe(commit)
  expect(await kit.hub.publish(kit.project(bare), refs)).toEqual({ ok: true, failed: [] })
})

test('a remote that is down is unreachable, nothing is lost, and later it works', async () => {
  const away = `${bare}.away`
  await rename(bare, away)
  const failed = await kit.hub.publish(kit.project(bare), [ref])
  expect(failed).toMatchObject({ ok: false, failed: [{ ref, kind: 'unreachable' }] })
  expect(await kit.hub.tip(projectId, branch)).toBe(commit)
  await rename(away, bare)
  expect((await kit.hub.publish(kit.project(bare), [ref])).ok).toBe(true)
})

test('a remote that refuses connections or answers 503 is unreachable, one that wants a password says what to do', async () => {
  const answers = async (status: number) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'www-authenticate': 'Basic realm="x"' }).end()
    })
    const url = await listen(server)
    const published = await kit.hub.publish(kit.project(url), [ref])
    await new Promise((resolve) => server.close(resolve))
    return published.failed[0]
  }
  const refused = await kit.hub.publish(kit.project('http://127.0.0.1:1/x.git'), [ref])
  expect(refused.failed[0]).toMatchObject({ kind: 'unreachable', why: expect.stringContaining('cannot be reached') })
  expect(await answers(413)).toMatchObject({ kind: 'refused', why: expect.stringContaining('error: 413') })
  expect(await answers(503)).toMatchObject({ kind: 'unreachable' })
  expect(await answers(429)).toMatchObject({ kind: 'unreachable' })
  expect(await answers(401)).toMatchObject({ kind: 'auth', why: expect.stringContaining('credential helper') })
})

test("a commit is published under a ref, wherever the hub's ref is by now", async () => {
  const { commit: base } = await kit.hub.fetch(kit.project(bare))
  const published = await kit.hub.publish(kit.project(bare), [
    { ref: 'refs/heads/work', commit: base },
    { ref, commit: base },
  ])
  expect(published).toEqual({ ok: true, failed: [] })
  expect(await kit.git(bare, 'rev-parse', 'work')).toBe(base)
  expect(await kit.git(bare, 'rev-parse', branch)).toBe(base)
})

test("an execution's leftovers are never published", async () => {
  const saved = `refs/beadloom/${execution}/attempt-1`
  await kit.git(kit.root, '--git-dir', hubFolder(), 'update-ref', saved, commit)
  await expect(kit.hub.publish(kit.project(bare), [saved])).rejects.toMatchObject({ kind: 'refused' })
  await kit.hub.publish(kit.project(bare), [ref])
  expect(await kit.git(bare, 'for-each-ref', 'refs/beadloom')).toBe('')
})

test("an execution's leftovers and merge candidate outlive a fetch that prunes and a garbage collection", async () => {
  const work = join(kit.root, 'work')
  await kit.commit(work, { 'left.txt': 'left' })
  const saved = `refs/beadloom/${execution}/attempt-1`
  await kit.git(work, 'push', '-q', 'origin', `HEAD:${saved}`)
  const left = await kit.git(work, 'rev-parse', 'HEAD')
  await kit.hub.ensureBranch(projectId, 'other', commit)
  const other = join(kit.root, 'lib')
  await kit.commit(other, { 'other.txt': 'o' })
  await kit.git(other, 'push', '-q', bare, 'main')
  const { commit: main } = await kit.hub.fetch(kit.project(bare))
  const made = await kit.hub.candidate({ project: projectId, execution, branch: 'other', commit: main, message: 'M' })
  if (made.result !== 'merged') throw new Error(made.result)
  await kit.git(kit.root, '--git-dir', hubFolder(), 'gc', '--prune=now', '--quiet')
  await kit.hub.fetch(kit.project(bare))
  expect(await kit.hub.tip(projectId, saved)).toBe(left)
  expect(await kit.hub.rootFiles(projectId, made.commit)).toEqual(['new.txt', 'other.txt', 'readme.md'])
})

test('an answer that is no git at all counts as unreachable, and its text is cut', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-git-receive-pack-advertisement' })
    response.end('\u001b]0;x\u0007zzzz'.repeat(50_000))
  })
  const url = await listen(server)
  const published = await kit.hub.publish(kit.project(url), [ref])
  await new Promise((resolve) => server.close(resolve))
  expect(published.failed).toMatchObject([{ ref, kind: 'unreachable' }])
  expect(published.failed[0]?.why.length).toBeLessThan(1000)
})

test('a ref that the hub does not have is named', async () => {
  const published = await kit.hub.publish(kit.project(bare), ['nothing'])
  expect(published).toMatchObject({ ok: false, failed: [{ ref: 'refs/heads/nothing', kind: 'refused' }] })
})

test('a remote that cannot write says so and can be tried again', async () => {
  await writeFile(join(bare, 'refs', 'heads', `${branch}.lock`), '')
  const published = await kit.hub.publish(kit.project(bare), [ref])
  expect(published.failed).toMatchObject([{ ref, kind: 'unreachable' }])
  await rm(join(bare, 'refs', 'heads', `${branch}.lock`))
  expect((await kit.hub.publish(kit.project(bare), [ref])).ok).toBe(true)
})

test.each(['1', '1000'])('a push beyond receive.maxInputSize is refused (unpackLimit %s)', async (unpackLimit) => {
  await kit.git(bare, 'config', 'receive.maxInputSize', '100')
  await kit.git(bare, 'config', 'receive.unpackLimit', unpackLimit)
  const published = await kit.hub.publish(kit.project(bare), [ref])
  expect(published.failed).toMatchObject([
    { ref, kind: 'refused', why: expect.stringContaining('pack exceeds maximum allowed size') },
  ])
})

test("an object that the remote's git calls malformed is refused, in its words", async () => {
  await kit.git(bare, 'config', 'receive.fsckObjects', 'true')
  const inHub = (input: string, ...args: string[]) =>
    execFileSync('git', ['--git-dir', hubFolder(), ...args], { input, encoding: 'utf8' }).trim()
  const tree = inHub(`040000 tree ${inHub('', 'rev-parse', `${commit}^{tree}`)}\t.git\n`, 'mktree')
  const by = 'A <a@example.org> 1700000000 +0000'
  const odd = inHub(
    `tree ${tree}\nauthor ${by}\ncommitter ${by}\n\nodd\n`,
    'hash-object',
    '-t',
    'commit',
    '-w',
    '--stdin',
  )
  const published = await kit.hub.publish(kit.project(bare), [{ ref, commit: odd }])
  expect(published.failed).toMatchObject([{ ref, kind: 'refused', why: expect.stringContaining('fsck error') }])
})

test.runIf(process.getuid?.() === 0)('a remote whose disk is full can be tried again', async () => {
  const objects = join(bare, 'objects')
  await rename(objects, `${objects}.before`)
  await mkdir(objects)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', objects])
  try {
    await cp(`${objects}.before`, objects, { recursive: true })
    execFileSync('sh', ['-c', 'cat /dev/zero > full 2> /dev/null || true'], { cwd: objects })
    const failed = await kit.hub.publish(kit.project(bare), [ref])
    expect(failed.failed).toMatchObject([{ kind: 'unreachable', why: expect.stringContaining('No space left') }])
    await rm(join(objects, 'full'))
    expect((await kit.hub.publish(kit.project(bare), [ref])).ok).toBe(true)
  } finally {
    execFileSync('umount', ['--lazy', objects])
  }
})

test('a branch whose name collides with ours is named: waiting would not help', async () => {
  await kit.git(bare, 'branch', 'beadloom', 'main')
  const published = await kit.hub.publish(kit.project(bare), [{ ref: 'refs/heads/beadloom/work', commit }])
  expect(published.failed).toMatchObject([{ kind: 'refused', why: expect.stringContaining('has a branch beadloom,') }])
})

test('a remote that hangs up, speaks no TLS or answers too late counts as unreachable or is given up', async () => {
  const rude = createTcpServer((socket) => socket.destroy())
  const silent = createTcpServer(() => {})
  const [rudePort, silentPort] = await Promise.all([rude, silent].map((server) => listenTcp(server)))
  const push = (url: string, signal?: AbortSignal) => kit.hub.publish(kit.project(url), [ref], signal)
  expect((await push(`http://127.0.0.1:${rudePort}/x.git`)).failed).toMatchObject([{ kind: 'unreachable' }])
  expect((await push(`https://127.0.0.1:${rudePort}/x.git`)).failed).toMatchObject([{ kind: 'unreachable' }])
  const patience = new AbortController()
  silent.once('connection', () => patience.abort(new Error('cancelled')))
  await expect(push(`http://127.0.0.1:${silentPort}/x.git`, patience.signal)).rejects.toThrow('cancelled')
  rude.close()
  silent.close()
})

test('a branch that a hook or a protection of the remote declines is refused, in its own words', async () => {
  const url = await forge(bare, 'echo "refs/heads/main is protected" >&2; exit 1')
  const published = await kit.hub.publish(kit.project(url), [ref])
  expect(published.failed).toMatchObject([
    { ref, kind: 'refused', why: expect.stringContaining('pre-receive hook declined') },
  ])
  expect(published.failed[0]?.why).toContain('The server says: refs/heads/main is protected')
})

test.each([
  ['a required signature', 'error: GH006: Protected branch update failed.', 'Commits must have verified signatures.'],
  ['a secret', 'error: GH013: Repository rule violations found', '—— GitHub Personal Access Token ——'],
  [
    'a large file',
    'error: File big.bin is 120.00 MB; this exceeds the limit of 100.00 MB',
    'error: GH001: Large files',
  ],
  ['a message', 'GitLab: Commit message does not follow the pattern', 'See https://me:secret@example.org/rules'],
])("a server's reason for refusing %s is kept, bounded, without credentials and escapes", async (_, first, second) => {
  const noise = Array.from({ length: 300 }, (__, at) => `echo "line ${at} of a long story" >&2`).join('\n')
  const script = `printf '\\033[31m%s\\033[0m\\n' "${first}" >&2; echo "${second}" >&2; echo ======== >&2\n${noise}\nexit 1`
  const url = await forge(bare, script)
  const { why = '' } = (await kit.hub.publish(kit.project(url), [ref])).failed[0] ?? {}
  expect(why).toContain(`The server says: ${first} | ${second.replace('me:secret@', '')} | line 0`)
  expect(why).toContain('and 294 more lines')
  for (const gone of ['\u001b', '====', 'secret@']) expect(why).not.toContain(gone)
  expect(why.length).toBeLessThan(1500)
})

/** A forge over HTTP whose pre-receive hook is this script. */
async function forge(folder: string, hook: string): Promise<string> {
  await writeFile(join(folder, 'hooks', 'pre-receive'), `#!/bin/sh\n${hook}\n`, { mode: 0o755 })
  await kit.git(folder, 'config', 'http.receivepack', 'true')
  const server = createServer((request, response) => {
    const [path, query = ''] = (request.url ?? '').split('?')
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      GIT_PROJECT_ROOT: join(folder, '..'),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: (path ?? '').replace('/x.git', `/${basename(folder)}`),
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
    }
    const cgi = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    request.pipe(cgi.stdin)
    const chunks: Buffer[] = []
    cgi.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    cgi.once('close', () => {
      const answer = Buffer.concat(chunks)
      const end = answer.indexOf('\r\n\r\n')
      for (const line of answer.subarray(0, end).toString().split('\r\n')) {
        const [name = '', value = ''] = line.split(': ')
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
        else response.setHeader(name, value)
      }
      response.end(answer.subarray(end + 4))
    })
  })
  closing.push(server)
  return listen(server)
}

async function listenTcp(server: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

test('credentials in the URL reach only the remote, not the error and not the argument list', async () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization ?? '')
    response.writeHead(500).end()
  })
  const url = (await listen(server)).replace('http://', 'http://lovelace:se%20cret@')
  const spy = join(kit.root, 'spy')
  await writeFile(spy, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${spy}.args'\nexec git "$@"\n`)
  await chmod(spy, 0o755)
  const hub = await kit.again(spy)
  const published = await hub.publish(kit.project(url), [ref])
  await new Promise((resolve) => server.close(resolve))
  const args = await readFile(`${spy}.args`, 'utf8')
  expect(args).toContain('push')
  expect(args).not.toMatch(/se%20cret|se cret|lovelace/)
  expect(seen).toContain(`Basic ${Buffer.from('lovelace:se cret').toString('base64')}`)
  expect(JSON.stringify(published)).not.toMatch(/se%20cret|se cret|lovelace/)
})

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
}
