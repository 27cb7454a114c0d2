// The agent of the soak: `node notebook-program.ts LINES PAUSE_MS END`. Every start has its own files in the workspace,
// which get each line before it is printed; on a full disk it waits. END is `ok`, `commit` (and push, now and then) or
// `fail`.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { lineOf, streamOf } from './notebook-line.ts'

const [lines = '100', pauseMs = '20', end = 'ok'] = process.argv.slice(2)
const MARK = '.git/notebook'
const COMMIT_EVERY = 100

/** Repeats the work while the disk is full. */
function untilThereIsSpace<T>(work: () => T): T {
  for (;;) {
    try {
      return work()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOSPC' && code !== 'EAGAIN') throw error
      pause(20)
    }
  }
}

function write(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) at += untilThereIsSpace(() => writeSync(fd, bytes, at))
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Tries a push again if its server breaks it off. If it fails for good, the next save takes the commit. */
function push(): void {
  for (let tries = 1; tries <= 5; tries++) {
    try {
      return void execFileSync('git', ['push', '--quiet'], { stdio: 'ignore' })
    } catch {
      pause(500)
    }
  }
}

function commit(number: number): void {
  try {
    execFileSync('git', ['add', '--all'], { stdio: 'ignore' })
    execFileSync('git', ['commit', '--quiet', '--message', `Notes up to ${number}`], { stdio: 'ignore' })
  } catch {
    return // no space: they are still in the workspace
  }
  push()
}

const start = randomBytes(4).toString('hex')
if (!existsSync(MARK)) {
  rmSync('notes', { recursive: true, force: true }) // from earlier beads
  untilThereIsSpace(() => writeFileSync(MARK, ''))
}
const folder = `notes/${start}`
untilThereIsSpace(() => mkdirSync(folder, { recursive: true }))
const files = {
  out: untilThereIsSpace(() => openSync(`${folder}/out`, 'a')),
  err: untilThereIsSpace(() => openSync(`${folder}/err`, 'a')),
}
for (let number = 1; number <= Number(lines); number++) {
  const stream = streamOf(number)
  const line = lineOf(start, number)
  write(files[stream], line)
  write(stream === 'out' ? 1 : 2, line)
  if (end === 'commit' && number % COMMIT_EVERY === 0) commit(number)
  pause(Number(pauseMs))
}
process.exitCode = end === 'fail' ? 1 : 0
