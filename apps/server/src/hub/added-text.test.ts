import { afterEach, beforeEach, expect, test } from 'vitest'
import { secretsOfChange } from '@beadloom/core/secrets/secrets-of-change.ts'
import { type Kit, projectId, startKit } from './hub-kit.ts'

const letters = 'Zk3Qv9RtXw7PmLs2Hd8YbNcJf5GaUe4TiVo6Kq1B'
const token = (from: number) => `ghp_${(letters + letters).slice(from, from + 36)}`

let kit: Kit
let source: string
let base: string
let work: string
beforeEach(async () => {
  kit = await startKit()
  source = await kit.source('lib', { 'a.js': `const old = '${token(0)}'\n`, 'b.js': '1\n' })
  base = (await kit.hub.fetch(kit.project(source))).commit
  work = await kit.serve({ project: projectId, execution: null, pushable: { branch: 'beads-1' } })
})
afterEach(() => kit.close())

/** The secrets that a worker's commits bring. */
async function found(to: string): Promise<string[]> {
  const { whole, each, cut } = await kit.hub.addedText(projectId, base, to)
  expect(cut).toBe(false)
  const texts = [whole, each].map((bytes) => Buffer.from(bytes).toString('utf8'))
  return secretsOfChange(texts).found.map(
    ({ commit, path, line, secret }) => `${commit === '' ? 'whole' : 'each'} ${path}:${line} ${secret}`,
  )
}

/** A clone whose commits are pushed to the hub. */
async function clone(): Promise<{ folder: string; push: () => Promise<string> }> {
  const folder = `${kit.root}/work`
  await kit.git(kit.root, 'clone', '-q', work, folder)
  await kit.git(folder, 'checkout', '-q', '-b', 'beads-1', base)
  const push = async () => {
    await kit.git(folder, 'push', '-q', 'origin', 'HEAD:refs/heads/beads-1')
    return (await kit.git(folder, 'rev-parse', 'HEAD')).trim()
  }
  return { folder, push }
}

test('the whole has the text that is there at the end, and only its commit has a text that was taken back', async () => {
  const { folder, push } = await clone()
  await kit.commit(folder, { 'c.js': `x\nsend('${token(1)}')\n`, 'd.js': `send('${token(2)}')\n` })
  await kit.commit(folder, { 'd.js': 'send(process.env.TOKEN)\n' })
  expect(await found(await push())).toEqual([
    `whole c.js:2 ${token(1)}`,
    `each c.js:2 ${token(1)}`,
    `each d.js:1 ${token(2)}`,
  ])
})

test('a merge counts for the text that was written in it, not for that of the other side', async () => {
  const { folder, push } = await clone()
  await kit.commit(source, { 'theirs.js': `send('${token(3)}')\n` })
  await kit.hub.fetch(kit.project(source))
  await kit.commit(folder, { 'b.js': '2\n' })
  await kit.git(folder, 'fetch', '-q', source, 'main')
  await kit.git(folder, 'merge', '-q', '--no-commit', 'FETCH_HEAD')
  await kit.commit(folder, { 'b.js': `2\nsend('${token(4)}')\n` })
  const all = await found(await push())
  expect(all.filter((one) => one.startsWith('each'))).toEqual([`each b.js:2 ${token(4)}`])
})

test('a lock file is not read', async () => {
  const { folder, push } = await clone()
  await kit.commit(folder, { 'sub/package-lock.json': `"${token(1)}"\n`, 'yarn.lock': `"${token(1)}"\n` })
  expect(await found(await push())).toEqual([])
})

test('git shows no lines of what has a zero byte or is called binary, and its bytes are there to be asked for', async () => {
  const { folder, push } = await clone()
  await kit.commit(folder, {
    '.gitattributes': '*.js binary\n*.c -diff\n*.h diff=own\n*.t -text\n',
    'a.js': `send('${token(1)}')\n`,
    'a.c': `send('${token(2)}')\n`,
    'a.h': `send('${token(3)}')\n`,
    'a.t': `send('${token(4)}')\n`,
    'zero.bin': `\0 ${token(5)}`,
  })
  await kit.commit(folder, { 'zero.bin': `\0\0 ${token(6)}`, 'big.bin': `\0${'x'.repeat(9 * 1024 ** 2)}` })
  const { whole, each } = await kit.hub.addedText(projectId, base, await push())
  const of = (bytes: Uint8Array) => secretsOfChange([Buffer.from(bytes).toString('utf8')])
  expect(
    of(whole)
      .found.map(({ secret }) => secret)
      .toSorted(),
  ).toEqual([1, 2, 3, 4].map(token).toSorted())
  expect(of(whole).binaries.map(({ path }) => path)).toEqual(['big.bin', 'zero.bin'])
  const changed = of(each).binaries.filter(({ path }) => path === 'zero.bin')
  const contents = await kit.hub.contents(projectId, [
    ...of(each).binaries.map(({ object }) => object),
    changed[0]!.before[0]!,
  ])
  expect(changed.map(({ object }) => Buffer.from(contents.get(object) as Uint8Array).toString())).toEqual([
    `\0\0 ${token(6)}`,
    `\0 ${token(5)}`,
  ])
  expect(changed[0]!.before).toEqual([changed[1]!.object])
  expect([...contents.values()].filter((one) => typeof one === 'number')).toEqual([9 * 1024 ** 2 + 1])
})

test('messages of commits that the remote has not are there, with the names of who made them', async () => {
  const { folder, push } = await clone()
  await kit.commit(folder, { 'b.js': '2\n' }, `Send\n\nwith ${token(1)}`)
  const author = `--author=${token(2)} <ann@example.org>`
  await kit.git(folder, 'commit', '-q', '--allow-empty', author, '-m', 'Again')
  const { messages } = await kit.hub.addedText(projectId, base, await push())
  const said = messages.map(({ bytes }) => Buffer.from(bytes).toString())
  expect(said).toHaveLength(2)
  expect(said[0]).toContain(token(2))
  expect(said[1]).toContain(`Send\n\nwith ${token(1)}`)
  expect(messages[0]?.commit).toMatch(/^[0-9a-f]{40}$/)
})

test('texts that a commit has are told from others, and none of them is a pattern or an option', async () => {
  const texts = [token(0), token(1), 'const .ld', '-e1', '']
  expect(await kit.hub.textsIn(projectId, base, texts)).toEqual(new Set([token(0)]))
})
