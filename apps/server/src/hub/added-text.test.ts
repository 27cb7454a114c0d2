// @suite unit-long
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

test('the whole range has the final text, and only its commit has a text that was taken back', async () => {
  const { folder, push } = await clone()
  await kit.commit(folder, { 'c.js': `x\nsend('${token(1)}')\n`, 'd.js': `send('${token(2)}')\n` })
  await kit.commit(folder, { 'd.js': 'send(process.env.TOKEN)\n' })
  expect(await found(await push())).toEqual([
    `whole c.js:2 ${token(1)}`,
    `each c.js:2 ${token(1)}`,
    `each d.js:1 ${token(2)}`,
  ])
})

test('a name with other letters is named as it is, and so is a secret in it', async () => {
  const { folder, push } = await clone()
  await kit.commit(folder, { 'grüße.js': `send('${token(1)}')\n`, [`ü${token(2)}.txt`]: 'x\n' })
  const all = await found(await push())
  expect(all).toContain(`whole grüße.js:1 ${token(1)}`)
  expect(all).toContain(`each ü${token(2)}.txt:0 ${token(2)}`)
})

test('a merge counts for the text written in it, not for that of the other side', async () => {
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

test('a merge that throws a branch away publishes its commits all the same, so they are searched', async () => {
  const { folder, push } = await clone()
  await kit.git(folder, 'checkout', '-q', '-b', 'side')
  await kit.commit(folder, { 'c.js': `send('${token(1)}')\n` })
  await kit.git(folder, 'checkout', '-q', 'beads-1')
  await kit.commit(folder, { 'b.js': '2\n' })
  await kit.git(folder, 'merge', '-q', '-s', 'ours', '--no-edit', 'side')
  expect(await found(await push())).toEqual([`each c.js:1 ${token(1)}`])
})

test('commits beyond the limit are cut off, which is reported', async () => {
  const { folder } = await clone()
  const commit = (at: number) => `commit refs/heads/beads-1\ncommitter a <a@example.org> ${at} +0000\ndata 1\na\n`
  const commits = Array.from({ length: 1_001 }, (_, at) => commit(at))
  const first = commits[0] + `from ${base}\nM 644 inline c.js\ndata <<E\nsend('${token(1)}')\nE\n`
  const last = 'D c.js\n'
  await writeFile(join(kit.root, 'stream'), [first, ...commits.slice(1), last].join(''))
  await kit.git(folder, 'checkout', '-q', '--detach')
  await kit.git(folder, '-c', `alias.feed=!git fast-import --quiet --force < ${join(kit.root, 'stream')}`, 'feed')
  await kit.git(folder, 'push', '-q', 'origin', 'beads-1')
  const tip = (await kit.git(folder, 'rev-parse', 'beads-1')).trim()
  expect((await kit.hub.addedText(projectId, base, tip)).cut).toBe(true)
})

test('a password in the address of a package is found in a lock file, and no digest is taken for a key', async () => {
  const { folder, push } = await clone()
  await kit.commit(folder, {
    'web/yarn.lock': `facebook-x@1:\n  resolved "https://ann:${token(1)}@npm.acme.io/x.tgz#0f3f1c9d2b7a45e88e1d6c5b4a392817"\n`,
    'Cargo.lock': `twitter_secret_key = "${letters.slice(0, 32)}"\nfacebook = "0f3f1c9d2b7a45e88e1d6c5b4a392817"\n`,
  })
  const all = await found(await push())
  expect(new Set(all.map((one) => one.split(' ').slice(1).join(' ')))).toEqual(new Set([`web/yarn.lock:2 ${token(1)}`]))
})

test('git shows no lines of a file with a zero byte or called binary, and its bytes can be requested', async () => {
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
  expect(of(whole).toRead.map(({ path }) => path)).toEqual(['big.bin', 'zero.bin'])
  const changed = of(each).toRead.filter(({ path }) => path === 'zero.bin')
  const contents = await kit.hub.contents(projectId, [
    ...of(each).toRead.map(({ object }) => object),
    changed[0]!.before[0]!,
  ])
  expect(changed.map(({ object }) => Buffer.from(contents.get(object) as Uint8Array).toString())).toEqual([
    `\0\0 ${token(6)}`,
    `\0 ${token(5)}`,
  ])
  expect(changed[0]!.before).toEqual([changed[1]!.object])
  expect([...contents.values()].filter((one) => typeof one === 'number')).toEqual([9 * 1024 ** 2 + 1])
})

test('commits are available as they are stored, with lines in their heads that no git shows', async () => {
  const { folder, push } = await clone()
  await kit.commit(folder, { 'b.js': '2\n' }, `Send\n\nwith ${token(1)}`)
  const author = `--author=${token(2)} <ann@example.org>`
  await kit.git(folder, 'commit', '-q', '--allow-empty', author, '-m', 'Again')
  const above = await kit.git(folder, 'cat-file', 'commit', 'HEAD')
  const parent = (await kit.git(folder, 'rev-parse', 'HEAD')).trim()
  const odd = above.replace(/^parent .*$/m, `parent ${parent}`).replace(/^(committer .*)$/m, `$1\nx-note ${token(3)}`)
  await writeFile(join(kit.root, 'odd'), odd)
  const made = (await kit.git(folder, 'hash-object', '-t', 'commit', '-w', join(kit.root, 'odd'))).trim()
  await kit.git(folder, 'reset', '-q', '--hard', made)
  const { messages } = await kit.hub.addedText(projectId, base, await push())
  const said = messages.map(({ bytes }) => Buffer.from(bytes).toString())
  expect(said).toHaveLength(3)
  expect(said[0]).toContain(`x-note ${token(3)}`)
  expect(said[1]).toContain(token(2))
  expect(said[2]).toContain(`Send\n\nwith ${token(1)}`)
  expect(said.join()).not.toMatch(/^(?:tree|parent) /m)
  expect(messages[0]?.commit).toBe(made)
})

test('texts that a commit has are distinguished from others, and none of them is a pattern or an option', async () => {
  const texts = [token(0), token(1), 'const .ld', '-e1', '']
  expect(await kit.hub.textsIn(projectId, base, texts)).toEqual(new Set([token(0)]))
})

test('commits with a text cut off inside ids are read as far as possible, and reported as cut', async () => {
  const { folder, push } = await clone()
  const tree = (await kit.git(folder, 'rev-parse', `${base}^{tree}`)).trim()
  const head = `author a <a> 1 +0000\ncommitter a <a> 1 +0000\n\n`
  const commit = async (parent: string, message: string) => {
    await writeFile(join(kit.root, 'commit'), `tree ${tree}\nparent ${parent}\n${head}${message}`)
    return (await kit.git(folder, 'hash-object', '-t', 'commit', '-w', join(kit.root, 'commit'))).trim()
  }
  const below = await commit(base, 'below\n')
  // The newest comes first: behind it, and behind the line that announces the next one, there is room for "tree 1234".
  const [announced, ids] = [`${base} commit 4194304\n`.length, `tree ${tree}\nparent ${base}\n`.length]
  const room = 4 * 1024 ** 2 - announced - ids - head.length - '\n'.length - `${base} commit 200\n`.length
  const tip = await commit(below, 'x'.repeat(room - 'tree 1234'.length))
  await kit.git(folder, 'reset', '-q', '--hard', tip)
  const { messages, cut } = await kit.hub.addedText(projectId, base, await push())
  expect(cut).toBe(true)
  expect(messages.map(({ commit: id }) => id)).toEqual([tip, below])
  expect(messages[1]?.bytes).toHaveLength(0)
})
