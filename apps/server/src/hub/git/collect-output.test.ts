import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { Git } from './git.ts'

let folder: string
let git: Git
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beadloom-collect-'))
  git = new Git({
    binary: 'git',
    home: folder,
    searchPath: '/usr/local/bin:/usr/bin:/bin',
    cwd: folder,
    clock: systemClock,
  })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Makes git run a command line as if it were one of git's own. */
const shell = (line: string) => ['-c', `alias.play=!${line}`, 'play']

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('output is the printed bytes, even bytes that are no text', async () => {
  const { stdout } = await git.run({ args: shell(`printf '\\377\\000\\001'`) })
  expect([...stdout]).toEqual([0xff, 0, 1])
})

test.each([
  ['', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'],
  ['ü\n', 'be761e039de7c85a579bc09515401c5ee742c8de'],
])('the input %j arrives whole, and ends', async (input, hash) => {
  expect(await git.text({ args: ['hash-object', '--no-filters', '--stdin'], input })).toBe(hash)
})

test('git without input finds its standard input at the end', async () => {
  expect(await git.text({ args: shell('wc -c') })).toMatch(/^\s*0$/)
})

test('a git that reads nothing of a large input is judged by its exit code', async () => {
  const { code } = await git.run({ args: shell('exit 3'), input: Buffer.alloc(4 * 1024 ** 2), answers: [3] })
  expect(code).toBe(3)
})

test('an exit code is an answer only if the caller says so, whatever is on standard error', async () => {
  expect((await git.run({ args: shell('echo no >&2; exit 1'), answers: [1] })).code).toBe(1)
  await expect(git.run({ args: shell('exit 1') })).rejects.toMatchObject({ code: 1 })
  expect(await git.run({ args: shell('echo warning >&2') })).toMatchObject({ code: 0, stderr: 'warning\n' })
})

test('output is complete even if a program that outlives git writes the end of it', async () => {
  execFileSync('mkfifo', [join(folder, 'up'), join(folder, 'go')])
  const output = git.text({ args: shell('(read go < go; echo late) & echo early; echo $PPID > up') })
  const pid = Number(await readFile(join(folder, 'up'), 'utf8'))
  while (isThere(pid)) await setImmediate()
  await git.text({ args: ['version'] }) // by now anybody who waits for git alone has seen its end
  await writeFile(join(folder, 'go'), '\n')
  expect(await output).toBe('early\nlate')
})

test('a call that is aborted before its git has started leaves no process', async () => {
  execFileSync('mkfifo', [join(folder, 'fifo')]) // nobody writes to it
  const stop = new AbortController()
  const started = git.run({ args: shell('read never < fifo'), signal: stop.signal })
  const reason = new Error('cancelled')
  stop.abort(reason)
  await expect(started).rejects.toBe(reason)
})

test.each([
  ['diff.external=x', 'allowUnsafeDiffExternal'],
  ['filter.x.clean=x', 'allowUnsafeFilter'],
  ['merge.x.driver=x', 'allowUnsafeMergeDriver'],
  ['include.path=x', 'allowUnsafeInclude'],
  ['credential.helper=x', 'allowUnsafeCredentialHelper'],
  ['url.x.insteadOf=y', 'allowUnsafeUrlRewrite'],
])('a call with %s, which none of ours has, is refused before git starts', async (setting, category) => {
  await expect(git.run({ args: ['version'], config: [setting] })).rejects.toThrow(category)
})

test('a missing folder is named as the reason why git could not start', async () => {
  await rm(folder, { recursive: true })
  const failed = git.run({ args: ['version'] })
  await expect(failed).rejects.toMatchObject({ name: 'HubError', kind: 'git-failed' })
  await expect(failed).rejects.toThrow(/could not be started \(there is no folder/)
})

test('with DEBUG=* neither the environment nor the output of a call is printed', async () => {
  const script = `
    import { Git } from ${JSON.stringify(join(import.meta.dirname, 'git.ts'))}
    import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '..', '..', 'process', 'clock.ts'))}
    const git = new Git({ binary: 'git', home: '/', searchPath: '/usr/local/bin:/usr/bin:/bin', cwd: '/', clock: systemClock })
    await git.run({ args: ${JSON.stringify(shell('echo hostile'))}, env: { GIT_CONFIG_VALUE_0: 'secret' } })`
  const env = { DEBUG: '*', PATH: '/usr/local/bin:/usr/bin:/bin' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  expect(`${stdout}${stderr}`).not.toMatch(/secret|hostile/)
})
