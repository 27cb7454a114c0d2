import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { closedEnvironment, hardening, personsEnvironment } from './git-flags.ts'
import { Git } from './git.ts'
import type { GitCall } from './git-call.ts'

/** A program in git's place that tells how it was called. */
const tells = `#!${process.execPath}
process.stdout.write(JSON.stringify({ argv: process.argv.slice(2), env: process.env }))
`

type Called = { argv: string[]; env: Record<string, string> }

let folder: string
let git: Git
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beadloom-call-'))
  const binary = join(folder, 'git')
  await writeFile(binary, tells)
  await chmod(binary, 0o755)
  git = new Git({ binary, home: '/home/of/git', searchPath: '/usr/bin:/bin', cwd: folder, clock: systemClock })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const collected = async (call: GitCall) => JSON.parse(await git.text(call)) as Called

async function streamed(call: GitCall): Promise<Called> {
  const { stdin, stdout, ended } = git.start(call)
  stdin.end()
  const told = await text(stdout)
  await ended
  return JSON.parse(told) as Called
}

/** The variables that every git starts with, by either way. */
const always = (): Record<string, string> => ({
  ...closedEnvironment('/home/of/git', '/usr/bin:/bin'),
  GIT_CEILING_DIRECTORIES: dirname(folder),
})

/** The one variable that simple-git adds; false is git's default. */
const added = { GIT_TEST_DISALLOW_ABBREVIATED_OPTIONS: 'false' }

const call: GitCall = {
  gitDir: '/data/hub/x.git',
  config: ['http.lowSpeedTime=60', 'safe.directory=/a b/it’s "odd"; $(x)'],
  args: ['fetch', '--quiet', '--upload-pack=GIT_ALLOW_PROTOCOL=none git upload-pack', '--', '-x', '', 'ü\n', '*'],
  env: { GIT_ALLOW_PROTOCOL: 'https', GIT_SSH_COMMAND: 'ssh -o BatchMode=yes', GIT_CONFIG_COUNT: '0', HOME: '/mine' },
}

test('every flag and argument reaches git unchanged and in order, collected or streamed', async () => {
  const config = [...hardening, ...(call.config ?? [])].flatMap((setting) => ['-c', setting])
  const argv = ['--literal-pathspecs', ...config, '--git-dir=/data/hub/x.git', ...call.args]
  expect((await streamed(call)).argv).toEqual(argv)
  expect((await collected(call)).argv).toEqual(argv)
})

test('git sees exactly the variables that were set for it, collected or streamed', async () => {
  expect((await streamed(call)).env).toEqual({ ...always(), ...call.env })
  expect((await collected(call)).env).toEqual({ ...always(), ...call.env, ...added })
  expect((await collected({ args: ['version'] })).env).toEqual({ ...always(), ...added })
})

test('a remote gets the listed part of the person’s environment, and no GIT_CONFIG_GLOBAL unless they set one', async () => {
  const person = {
    HOME: '/home/ada',
    SSH_AUTH_SOCK: '/agent',
    GIT_SSL_CAINFO: '/ca',
    HTTPS_PROXY: 'http://p',
    SECRET: 'x',
  }
  const env = personsEnvironment(person)
  const { GIT_CONFIG_GLOBAL: _, ...rest } = always()
  const { SECRET: __, ...known } = person
  const expected = { ...rest, ...known, GIT_CONFIG_NOSYSTEM: '0' }
  expect((await streamed({ args: ['ls-remote'], env })).env).toEqual(expected)
  expect((await collected({ args: ['ls-remote'], env })).env).toEqual({ ...expected, ...added })
})
