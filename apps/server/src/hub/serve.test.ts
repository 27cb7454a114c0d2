// @suite unit-long
import { randomBytes } from 'node:crypto'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { execution, type Kit, otherExecution, projectId, startKit } from './hub-kit.ts'

const branch = 'beads-bl-1-add-a-thing'
let kit: Kit
let base: string
let source: string
beforeEach(async () => {
  kit = await startKit({ pushBytes: 64 * 1024 ** 2 })
  source = await kit.source('lib')
  base = (await kit.hub.fetch(kit.project(source))).commit
  await kit.hub.ensureBranch(projectId, branch, base)
})
afterEach(() => kit.close())

const serve = (pushable = branch) => kit.serve({ project: projectId, execution, pushable: { branch: pushable } })

async function checkout(url: string, name = 'work', on = branch): Promise<string> {
  const folder = join(kit.root, name)
  await kit.git(kit.root, 'clone', '-q', '--branch', on, url, folder)
  return folder
}

test('plain git clones, commits and pushes the branch of its execution', async () => {
  const work = await checkout(await serve())
  const commit = await kit.commit(work, { 'new.txt': 'new' })
  await kit.git(work, 'push', '-q', 'origin', 'HEAD')
  expect(await kit.hub.tip(projectId, branch)).toBe(commit)
  expect(await kit.git(await checkout(await serve(), 'second'), 'rev-parse', 'HEAD')).toBe(commit)
})

test.each(['0', '1', '2'])('protocol version %s works', async (version) => {
  const url = await serve()
  const flag = `protocol.version=${version}`
  const work = join(kit.root, 'work')
  await kit.git(kit.root, '-c', flag, 'clone', '-q', '--branch', branch, url, work)
  await kit.commit(work, { a: 'a' })
  await kit.git(work, '-c', flag, 'push', '-q', 'origin', 'HEAD')
  await kit.git(work, '-c', flag, 'fetch', '-q', 'origin', base)
})

test('a clone gets the base branch by default, and may be shallow', async () => {
  const work = join(kit.root, 'work')
  await kit.commit(source, { b: 'b' })
  await kit.hub.fetch(kit.project(source))
  await kit.git(kit.root, 'clone', '-q', '--depth=1', await serve(), work)
  expect(await kit.git(work, 'branch', '--show-current')).toBe('main')
  expect(await kit.git(work, 'rev-list', '--count', 'HEAD')).toBe('1')
})

test("an execution's leftovers go to its own refs, even over older ones", async () => {
  const work = await checkout(await serve())
  const ref = `refs/beadloom/${execution}/session-1`
  const first = await kit.commit(work, { a: '1' })
  await kit.git(work, 'push', '-q', 'origin', `HEAD:${ref}`)
  await kit.git(work, 'commit', '-q', '--amend', '-m', 'again')
  await kit.git(work, 'push', '-q', 'origin', `+HEAD:${ref}`)
  expect(await kit.hub.tip(projectId, ref)).toBe(await kit.git(work, 'rev-parse', 'HEAD'))
  expect(await kit.hub.tip(projectId, ref)).not.toBe(first)
  expect(await kit.git(work, 'ls-remote', 'origin')).toContain(ref)
})

test('an execution leaves a limited number of refs, and can use each of them again', async () => {
  await kit.close()
  kit = await startKit({ refs: 3 })
  source = await kit.source('lib')
  base = (await kit.hub.fetch(kit.project(source))).commit
  await kit.hub.ensureBranch(projectId, branch, base)
  const work = await checkout(await serve())
  const push = (...refspecs: string[]) => kit.git(work, 'push', '-q', 'origin', ...refspecs)
  const save = (name: string) => `+HEAD:refs/beadloom/${execution}/${name}`
  await kit.commit(work, { a: '1' })
  await expect(push(...['a', 'b', 'c', 'd'].map(save))).rejects.toThrow('One push has at most 3 refs')
  await push(save('a'), save('b/b'))
  await expect(push(save('c'), save('d'))).rejects.toThrow(/d was refused\. An execution has at most 3 refs of its own/)
  const again = await kit.commit(work, { a: '2' })
  await push(save('a'), 'HEAD')
  const at = (ref: string) => kit.hub.tip(projectId, ref)
  expect([await at(`refs/beadloom/${execution}/a`), await at(branch)]).toEqual([again, again])
  expect(await at(`refs/beadloom/${execution}/d`)).toBeNull()
})

const refused: [string, string[], RegExp][] = [
  ['another branch', ['HEAD:refs/heads/other'], /refs\/heads\/other was refused\..*HEAD:refs\/heads\/beads-bl-1/],
  ['the base branch', ['HEAD:refs/heads/main'], /refs\/heads\/main was refused/],
  ['a branch below its own', [`HEAD:refs/heads/${branch}x`], /was refused/],
  ['a tag', ['HEAD:refs/tags/v1'], /refs\/tags\/v1 was refused/],
  ["another execution's save", [`HEAD:refs/beadloom/${otherExecution}/x`], /was refused/],
  ['the save refs as a whole', [`HEAD:refs/beadloom/${execution}`], /was refused/],
  ['a mirrored ref', ['HEAD:refs/remotes/origin/main'], /was refused/],
  ['a note of the hub', ['HEAD:refs/hub/mirrored/main'], /was refused/],
  ['the deletion of its branch', [`:refs/heads/${branch}`], /was not deleted/],
  ['the deletion of the base branch', [':refs/heads/main'], /was refused|remote ref does not exist/],
]
test.each(refused)('%s cannot be pushed, and git says why', async (_what, refspecs, why) => {
  const work = await checkout(await serve())
  await kit.commit(work, { a: 'a' })
  await expect(kit.git(work, 'push', '--force', 'origin', ...refspecs)).rejects.toThrow(why)
  expect(await kit.hub.tip(projectId, 'main')).toBe(base)
  expect(await kit.hub.tip(projectId, branch)).toBe(base)
  expect(await kit.hub.tip(projectId, 'refs/tags/v1')).toBeNull()
  expect(await kit.hub.tip(projectId, 'refs/heads/other')).toBeNull()
})

test('the branch cannot be rewritten, not even by force', async () => {
  const work = await checkout(await serve())
  const commit = await kit.commit(work, { a: 'a' })
  await kit.git(work, 'push', '-q', 'origin', 'HEAD')
  await kit.git(work, 'commit', '-q', '--amend', '-m', 'rewritten')
  await expect(kit.git(work, 'push', '--force', 'origin', 'HEAD')).rejects.toThrow(/non-fast-forward/)
  expect(await kit.hub.tip(projectId, branch)).toBe(commit)
})

test('one refused ref does not keep the allowed branch from arriving', async () => {
  const work = await checkout(await serve())
  const commit = await kit.commit(work, { a: 'a' })
  await expect(kit.git(work, 'push', 'origin', 'HEAD', 'HEAD:refs/heads/other')).rejects.toThrow(/was refused/)
  expect(await kit.hub.tip(projectId, branch)).toBe(commit)
})

test('a hook that cannot run closes the hub for pushes instead of opening it', async () => {
  const work = await checkout(await serve())
  await kit.commit(work, { a: 'a' })
  await chmod(join(kit.root, 'data', 'git-home', 'push-rule', 'update'), 0o600)
  await expect(kit.git(work, 'push', 'origin', 'HEAD')).rejects.toThrow(/500/)
  expect(await kit.hub.tip(projectId, branch)).toBe(base)
})

test('a read-only execution fetches, and its push is refused with a sentence', async () => {
  const work = await checkout(await kit.serve({ project: projectId, execution: null, pushable: null }))
  await kit.commit(work, { a: 'a' })
  await expect(kit.git(work, 'push', 'origin', 'HEAD')).rejects.toThrow(/nothing can be pushed from here/)
})

test("neither the remote's refs nor others' leftovers are advertised", async () => {
  const other = await checkout(await kit.serve({ project: projectId, execution: otherExecution, pushable: { branch } }))
  await kit.commit(other, { a: 'a' })
  await kit.git(other, 'push', '-q', 'origin', `HEAD:refs/beadloom/${otherExecution}/x`)
  const url = await serve()
  for (const version of ['0', '2']) {
    const seen = await kit.git(kit.root, '-c', `protocol.version=${version}`, 'ls-remote', url)
    expect(seen).toMatch(/refs\/heads\/main/)
    expect(seen).not.toMatch(/refs\/(?:beadloom|remotes|hub)/)
  }
})

test.each(['feature/ünï', "quote'd", 'dollar$(touch;x)', 'semi;colon', 'a{b}', '#hash', 'emoji-🧵'])(
  'the branch name %j is pushed as it is',
  async (name) => {
    await kit.hub.ensureBranch(projectId, name, base)
    const work = await checkout(await serve(name), 'work', name)
    const commit = await kit.commit(work, { a: 'a' })
    await kit.git(work, 'push', '-q', 'origin', 'HEAD')
    expect(await kit.hub.tip(projectId, name)).toBe(commit)
  },
)

test('three containers push at the same time and all arrive', async () => {
  const names = ['beads-1', 'beads-2', 'beads-3']
  const pushes = names.map(async (name) => {
    await kit.hub.ensureBranch(projectId, name, base)
    const work = await checkout(await serve(name), name, name)
    const commit = await kit.commit(work, { [name]: randomBytes(200_000).toString('hex') })
    await kit.git(work, 'push', '-q', 'origin', 'HEAD')
    return commit
  })
  const commits = await Promise.all(pushes)
  expect(await Promise.all(names.map((name) => kit.hub.tip(projectId, name)))).toEqual(commits)
})

test('a push of 50 MB streams through without being held in memory', async () => {
  const work = await checkout(await serve())
  await writeFile(join(work, 'large.bin'), randomBytes(50 * 1024 ** 2))
  const commit = await kit.commit(work, { a: 'a' })
  // The live memory after a collection: garbage of passed chunks does not count.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const limit = 8 * 1024 ** 2
  let peak = 0
  const before = process.memoryUsage().arrayBuffers
  const held = () => process.memoryUsage().arrayBuffers - before
  const watch = setInterval(() => {
    // A second collection gets what the first one frees outside of the heap.
    for (let again = 0; again < 2 && held() >= limit; again += 1) collect()
    peak = Math.max(peak, held())
  }, 50)
  await kit.git(work, '-c', 'http.postBuffer=65536', 'push', '-q', 'origin', 'HEAD')
  clearInterval(watch)
  expect(await kit.hub.tip(projectId, branch)).toBe(commit)
  expect(peak).toBeLessThan(limit)
}, 120_000)

test('a pack above the limit is refused with the reason and leaves nothing', async () => {
  await kit.close()
  kit = await startKit({ pushBytes: 1024 ** 2 })
  source = await kit.source('lib')
  base = (await kit.hub.fetch(kit.project(source))).commit
  await kit.hub.ensureBranch(projectId, branch, base)
  const work = await checkout(await serve())
  await writeFile(join(work, 'large.bin'), randomBytes(8 * 1024 ** 2))
  await kit.commit(work, { a: 'a' })
  await expect(kit.git(work, 'push', 'origin', 'HEAD')).rejects.toThrow(/exceeds maximum allowed size/)
  expect(await kit.hub.tip(projectId, branch)).toBe(base)
  const objects = await readdir(join(kit.root, 'data', 'hub', 'sample.git', 'objects'))
  expect(objects.filter((name) => name.startsWith('tmp_'))).toEqual([])
}, 60_000)

test('a container that dies in the middle of a push leaves nothing half-done', async () => {
  const url = new URL(`${await serve()}/git-receive-pack`)
  const command = `${base} ${'b'.repeat(40)} refs/heads/${branch}\0report-status`
  const headers = { 'content-type': 'application/x-git-receive-pack-request' }
  const push = request(url, { method: 'POST', headers })
  push.on('error', () => {})
  push.write(`${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`)
  push.write(Buffer.from('PACK\0\0\0\x02\0\0\x0f\xff', 'latin1')) // the start of 4095 objects that never come
  const objects = join(kit.root, 'data', 'hub', 'sample.git', 'objects')
  const incoming = async () => (await readdir(objects)).some((name) => name.includes('incoming'))
  await vi.waitUntil(incoming, { timeout: 10_000 })
  push.destroy()
  await vi.waitUntil(async () => !(await incoming()), { timeout: 10_000 })
  const work = await checkout(await serve())
  const commit = await kit.commit(work, { a: 'a' })
  await kit.git(work, 'push', '-q', 'origin', 'HEAD')
  expect(await kit.hub.tip(projectId, branch)).toBe(commit)
})

test('objects that would be dangerous in a checkout are refused', async () => {
  const work = await checkout(await serve())
  const blob = await kit.git(work, 'rev-parse', 'HEAD:readme.md')
  const list = join(kit.root, 'tree')
  await writeFile(list, `100644 blob ${blob}\t.git\n`)
  const tree = await kit.git(work, '-c', `alias.evil=!git mktree < '${list}'`, 'evil')
  const commit = await kit.git(work, 'commit-tree', tree, '-p', 'HEAD', '-m', 'evil')
  await expect(kit.git(work, 'push', 'origin', `${commit}:refs/heads/${branch}`)).rejects.toThrow(/hasDotgit/)
})

test('compressed request bodies are read, broken ones harm nobody', async () => {
  const url = new URL(`${await serve()}/git-upload-pack`)
  const body = Buffer.from(`0014command=ls-refs\n0000`)
  const ask = (bytes: Buffer, encoding: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = {
        'content-type': 'application/x-git-upload-pack-request',
        'git-protocol': 'version=2',
        'content-encoding': encoding,
      }
      const asked = request(url, { method: 'POST', headers }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      asked.on('error', reject)
      asked.end(bytes)
    })
  expect((await ask(gzipSync(body), 'gzip')).text).toContain('refs/heads/main')
  expect((await ask(body, 'identity')).text).toContain('refs/heads/main')
  expect((await ask(Buffer.from('no gzip'), 'gzip')).status).not.toBe(0)
  expect((await ask(gzipSync(body), 'gzip')).text).toContain('refs/heads/main')
})

test.each(['/git/hub.git/HEAD', '/git/hub.git/objects/info/packs', '/git/../../etc/passwd', '/git/hub.git/info/refs'])(
  '%s is not served',
  async (path) => {
    const { origin } = new URL(await serve())
    expect((await fetch(origin + path)).status).toBe(404)
  },
)
