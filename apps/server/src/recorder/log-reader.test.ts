import { appendFileSync, rmSync, truncateSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseSessionId } from '@beadloom/core/records/ids.ts'
import type { OutputFrame } from '../ports/sandbox.ts'
import type { LogReader } from '../ports/logs.ts'
import { logPaths } from './files/log-paths.ts'
import { Desk, err, lines, out, session } from './testing.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

let desk: Desk
beforeEach(() => {
  desk = new Desk()
})
afterEach(() => desk.remove())

const numbered = (count: number) => Array.from({ length: count }, (_, line) => `line ${line}${'.'.repeat(line % 90)}\n`)
const all = numbered(5000)

async function readAll(logs: LogReader, maxBytes: number): Promise<string[]> {
  const got: string[] = []
  for (;;) {
    const { firstLine, count, text } = await logs.read(session, got.length, maxBytes)
    expect(firstLine).toBe(got.length)
    if (count === 0) return got
    const lineTexts = text.toString().split(/(?<=\n)/)
    expect(lineTexts).toHaveLength(count)
    got.push(...lineTexts)
  }
}

/** Frames that the test sends by hand. */
class Feed {
  readonly #through = new PassThrough({ objectMode: true })
  send(frame: OutputFrame): void {
    this.#through.write(frame)
  }
  end(): void {
    this.#through.end()
  }
  [Symbol.asyncIterator](): AsyncIterator<OutputFrame> {
    return this.#through[Symbol.asyncIterator]() as AsyncIterator<OutputFrame>
  }
}

const grows = (logs: LogReader, until: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const stop = logs.onGrow(() => {
      if (!until()) return
      stop()
      resolve()
    })
    if (until()) {
      stop()
      resolve()
    }
  })

describe('a finished log', () => {
  beforeEach(async () => {
    await desk.record([out(all.join(''))])
    desk.again() // another server: nothing is in memory
  })

  longTest('is read by cursor in pieces of any size, whole lines only', async () => {
    for (const maxBytes of [1, 100, 64 * 1024, 1 << 24]) expect(await readAll(desk.parts.logs, maxBytes)).toEqual(all)
  })

  test('can be entered at any line', async () => {
    const { logs } = desk.parts
    for (const line of [0, 1, 511, 512, 513, 1024, 4607, 4608, 4999]) {
      expect((await logs.read(session, line, 1)).text.toString()).toBe(all[line])
      expect(await logs.offsetOf(session, line)).toBe(all.slice(0, line).join('').length)
    }
    expect(await logs.offsetOf(session, 5000)).toBe(desk.log.length)
    expect(await logs.read(session, 5000, 100)).toMatchObject({ count: 0 })
    expect(await logs.read(session, 9999, 100)).toMatchObject({ firstLine: 9999, count: 0 })
  })

  test('gives byte ranges for downloads, and nothing beyond its end', async () => {
    const { logs } = desk.parts
    expect((await logs.bytes(session, 7, 20)).equals(desk.log.subarray(7, 27))).toBe(true)
    expect(await logs.bytes(session, desk.log.length - 3, 100)).toHaveLength(3)
    expect(await logs.bytes(session, desk.log.length, 100)).toHaveLength(0)
  })

  test('says that it is complete', () => {
    expect(desk.parts.logs.state(session)).toEqual({
      lines: 5000,
      bytes: desk.log.length,
      complete: true,
      partial: '',
      exit: null,
    })
    expect(desk.parts.logs.state(parseSessionId('ex-aaaaaaaaaa.2'))).toBeNull()
  })
})

describe('a log that is being written', () => {
  test('shows whole lines and the unfinished one', async () => {
    const feed = new Feed()
    const recorded = desk.record(feed)
    const { logs } = desk.parts
    feed.send(out('one\nhal'))
    await grows(logs, () => logs.state(session)?.partial === 'hal')
    expect(logs.state(session)).toMatchObject({ lines: 1, bytes: 4, complete: false })
    feed.send(out('f\n'))
    await grows(logs, () => logs.state(session)?.lines === 2)
    expect(logs.state(session)?.partial).toBe('')
    feed.end()
    await recorded
    await grows(logs, () => logs.state(session)?.complete === true)
  })

  test('never shows half a line, and in the end exactly the contents of the file', async () => {
    const feed = new Feed()
    const recorded = desk.record(feed)
    const { logs } = desk.parts
    const got: string[] = []
    const bytes = Buffer.from(all.join(''))
    for (let at = 0; at < bytes.length; at += 977) {
      feed.send(at % 2 ? err(bytes.subarray(at, at + 977)) : out(bytes.subarray(at, at + 977)))
      const { firstLine, count, text } = await logs.read(session, got.length, 5000)
      expect(firstLine).toBe(got.length)
      if (count > 0) {
        expect(text.at(-1)).toBe(10)
        got.push(...text.toString().split(/(?<=\n)/))
      }
    }
    feed.end()
    await recorded
    const rest = await logs.read(session, got.length, 1 << 24)
    expect([...got, ...rest.text.toString().split(/(?<=\n)/)].join('')).toBe(desk.text)
  })

  test('announces its growth once a turn, and a listener that throws harms nobody', async () => {
    const { logs } = desk.parts
    let told = 0
    logs.onGrow(() => {
      throw new Error('a bad listener')
    })
    const stop = logs.onGrow(() => (told += 1))
    await desk.record([out('one\n'), out('two\n')])
    await grows(logs, () => told > 0)
    expect(String(desk.reported)).toContain('a bad listener')
    stop()
  })
})

describe("the server's own words", () => {
  test('are in the log before, within and after the record', async () => {
    const { recorder, logs, idle } = desk.parts
    recorder.note(session, 'the image is being built\nstep 1 of 3')
    await idle()
    const feed = new Feed()
    const recorded = desk.record(feed)
    feed.send(out(lines(1, { type: 'message', text: 'hello' })))
    await grows(logs, () => logs.state(session)?.lines === 3)
    recorder.note(session, 'the container uses 2 CPUs')
    await idle()
    feed.end()
    await recorded
    recorder.note(session, 'verified')
    await idle()
    expect(desk.text).toBe(
      '# the image is being built\n# step 1 of 3\n› hello\n# the container uses 2 CPUs\n# verified\n',
    )
    expect(logs.state(session)).toMatchObject({ lines: 5, complete: true })
    expect(desk.store.checkpoint(session)?.n).toBe(1)
  })

  test('wait while the log is being closed, and open it again', async () => {
    const { store } = desk
    const commit = store.commitRecord.bind(store)
    let second = false
    store.commitRecord = (...args) => {
      commit(...args)
      if (second || !args[1].complete) return
      second = true // the last user is gone and the files are about to close
      desk.parts.recorder.note(session, 'two')
    }
    await desk.record([out('one\n')])
    await desk.parts.idle()
    expect([desk.text, desk.reported]).toEqual(['one\n# two\n', []])
  })

  test('keep their order', async () => {
    const { recorder, idle } = desk.parts
    for (let number = 0; number < 50; number += 1) recorder.note(session, String(number))
    await idle()
    expect(desk.text).toBe(Array.from({ length: 50 }, (_, number) => `# ${number}\n`).join(''))
  })
})

describe('after a stop', () => {
  const paths = () => logPaths(desk.folder, session)
  beforeEach(() => desk.record([out(all.join(''))]))

  test('bytes that were written but not committed are cut off', async () => {
    const whole = desk.text
    appendFileSync(paths().log, 'a line that nobody committed\nand a ha')
    appendFileSync(paths().index, Buffer.alloc(13, 1))
    const { logs, recoverLogs } = desk.again()
    await recoverLogs()
    expect(desk.text).toBe(whole)
    expect(await readAll(logs, 4096)).toEqual(all)
  })

  test('a continued record begins at its checkpoint', async () => {
    desk.store.checkpoints.set(session, { ...desk.store.checkpoint(session)!, complete: false })
    appendFileSync(paths().log, 'a long line that nobody committed and nobody will ever see')
    const whole = all.join('')
    desk.again()
    await desk.record([out(`${whole}next\n`)])
    expect(desk.text).toBe(`${whole}next\n`)
    expect((await readAll(desk.parts.logs, 1 << 20)).join('')).toBe(desk.text)
  })

  test('bytes that the disk lost are taken out of the checkpoint', async () => {
    truncateSync(paths().log, desk.log.length - 200)
    const { logs, recoverLogs } = desk.again()
    await recoverLogs()
    const left = desk.text
    expect(left.endsWith('\n')).toBe(true)
    expect(desk.store.checkpoint(session)).toMatchObject({
      logBytes: left.length,
      logLines: left.split('\n').length - 1,
    })
    expect((await readAll(logs, 4096)).join('')).toBe(left)
  })

  test('a missing index is made again', async () => {
    rmSync(paths().index)
    const { logs, recoverLogs } = desk.again()
    await recoverLogs()
    expect((await logs.read(session, 4800, 1)).text.toString()).toBe(all[4800])
  })

  test('a session that ended without its record’s end is complete as it is', () => {
    desk.store.checkpoints.set(session, { ...desk.store.checkpoint(session)!, complete: false })
    expect(desk.parts.logs.state(session)?.complete).toBe(false)
    desk.store.ended.add(session)
    expect(desk.parts.logs.state(session)).toMatchObject({ complete: true, exit: 3 })
  })
})
