// The agent of the kill tests: it prints numbered lines and keeps the same bytes in its workspace, where they are
// committed, so that received and printed bytes can be compared. `node ledger-program.mjs NAME MODE [NUMBER]`.
import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs'

const [name, mode, text = ''] = process.argv.slice(2)
/** A test makes this file to end an endless mode. */
const END = '/tmp/ledger-end'
const STEP_MS = 10

const folder = `ledger-${name}`
mkdirSync(folder, { recursive: true })
const kept = { 1: openSync(`${folder}/out`, 'a'), 2: openSync(`${folder}/err`, 'a') }
appendFileSync(`${folder}/starts`, `START ${randomUUID()}\n`)

/** Prints all of it, even on a full pipe, and then writes it into the ledger. */
function print(fd, what) {
  const bytes = Buffer.from(what)
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(fd, bytes, from)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      pause(1)
    }
  }
  writeSync(kept[fd], bytes)
}

const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
const line = (number) => `${String(number).padStart(8, '0')} of the ledger\n`

/** Prints a line on each stream in turn, up to `most` lines or until END exists. */
function steady(most, between = () => {}) {
  for (let number = 1; number <= most && !existsSync(END); number++) {
    print(number % 2 === 1 ? 1 : 2, line(number))
    between(number)
    pause(STEP_MS)
  }
}

/** If the server dies during a push, the push breaks off, as with every remote: the agent tries again. */
function push() {
  for (let tries = 1; ; tries++) {
    try {
      return execFileSync('git', ['push', '--quiet'], { stdio: 'ignore' })
    } catch (error) {
      if (tries === 5) throw error
    }
  }
}

const modes = {
  steady: () => steady(Number(text || Infinity)),
  /** `NUMBER` megabytes as fast as the reader takes them. */
  flood: () => {
    for (let megabyte = 0; megabyte < Number(text); megabyte++) {
      const lines = Array.from(
        { length: 10_000 },
        (_, at) => `${String(megabyte * 10_000 + at).padStart(10, '0')} ${'x'.repeat(88)}\n`,
      )
      print(2, lines.join(''))
    }
  },
  /** One line of `NUMBER` megabytes, then a tenth of that in newlines. */
  longline: () => {
    const piece = '0123456789abcdef'.repeat(65_536)
    for (let megabyte = 0; megabyte < Number(text); megabyte++) print(2, piece)
    print(2, '\n')
    for (let megabyte = 0; megabyte < Number(text) / 10; megabyte++) print(2, '\n'.repeat(1024 * 1024))
  },
  /** Bytes that are no text, and characters that are cut between two writes. */
  binary: () => {
    for (let round = 0; round < Number(text || 200); round++) {
      const euro = Buffer.from('€')
      print(2, euro.subarray(0, 1))
      print(2, Buffer.concat([euro.subarray(1), Buffer.from([0xff, 0xfe, 0x80]), randomBytes(64), Buffer.from('\n')]))
      pause(1)
    }
  },
  /** A commit and a push every 50 lines, so work is published before the end. */
  commit: () =>
    steady(Number(text || 400), (number) => {
      if (number % 50 !== 0) return
      execFileSync('git', ['add', '--all'])
      execFileSync('git', ['commit', '--quiet', '--message', `Ledger up to ${number}`])
      push()
    }),
}

modes[mode]()
for (const fd of Object.values(kept)) closeSync(fd)
