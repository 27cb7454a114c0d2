import { describe, expect, test } from 'vitest'
import type { OutputFrame } from '../../ports/sandbox.ts'
import { Demultiplexer, MalformedOutput } from './demultiplexer.ts'

function frame(kind: number, bytes: Buffer | string): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt8(kind, 0)
  header.writeUInt32BE(Buffer.byteLength(bytes), 4)
  return Buffer.concat([header, Buffer.from(bytes as string)])
}

/** Neighbours of one stream joined, so that only content and order count. */
function joined(frames: OutputFrame[]): { stream: string; text: string }[] {
  const runs: { stream: string; text: string }[] = []
  for (const { stream, bytes } of frames) {
    const last = runs.at(-1)
    if (last?.stream === stream) last.text += bytes.toString('latin1')
    else runs.push({ stream, text: bytes.toString('latin1') })
  }
  return runs
}

describe('Demultiplexer', () => {
  const wire = Buffer.concat([
    frame(1, 'out one'),
    frame(2, 'err'),
    frame(1, ''),
    frame(1, '\xff\xfe\x00'),
    frame(2, '!'),
  ])
  const whole = joined(new Demultiplexer().push(wire))

  test('tells stdout and stderr apart, in order, bytes untouched', () => {
    expect(whole).toEqual([
      { stream: 'stdout', text: 'out one' },
      { stream: 'stderr', text: 'err' },
      { stream: 'stdout', text: Buffer.from('\xff\xfe\x00').toString('latin1') },
      { stream: 'stderr', text: '!' },
    ])
  })

  test('gives the same whatever two positions the stream is cut at', () => {
    for (let first = 0; first <= wire.length; first++) {
      for (let second = first; second <= wire.length; second++) {
        const demultiplexer = new Demultiplexer()
        const parts = [wire.subarray(0, first), wire.subarray(first, second), wire.subarray(second)]
        expect(joined(parts.flatMap((part) => demultiplexer.push(part)))).toEqual(whole)
        expect(demultiplexer.complete).toBe(true)
      }
    }
  })

  test('takes one byte at a time', () => {
    const demultiplexer = new Demultiplexer()
    expect(joined([...wire].flatMap((byte) => demultiplexer.push(Buffer.from([byte]))))).toEqual(whole)
  })

  test('takes 100,000 tiny frames in one chunk without deep recursion', () => {
    const tiny = frame(1, 'x')
    const frames = new Demultiplexer().push(Buffer.concat(Array.from({ length: 100_000 }, () => tiny)))
    expect(frames).toHaveLength(100_000)
  })

  test('hands on a large frame in parts as they come, without collecting it', () => {
    const large = frame(2, Buffer.alloc(1024 * 1024, 7))
    const demultiplexer = new Demultiplexer()
    const frames = demultiplexer.push(large.subarray(0, 100))
    expect(frames).toEqual([{ stream: 'stderr', bytes: Buffer.alloc(92, 7) }])
    expect(demultiplexer.complete).toBe(false)
    expect(demultiplexer.push(large.subarray(100))[0]?.bytes).toHaveLength(1024 * 1024 - 92)
    expect(demultiplexer.complete).toBe(true)
  })

  test.each([
    ['an unknown stream', Buffer.from([9, 0, 0, 0, 0, 0, 0, 1])],
    ['padding that is not zero', Buffer.from([1, 0, 7, 0, 0, 0, 0, 1])],
    ['a length of 4 GiB', Buffer.from([1, 0, 0, 0, 255, 255, 255, 255])],
    ['text of an HTTP proxy', Buffer.from('HTTP/1.1 502 Bad Gateway')],
  ])('refuses %s', (_, bytes) => {
    expect(() => new Demultiplexer().push(bytes)).toThrow(MalformedOutput)
  })

  describe('of a log with times', () => {
    const [early, late] = ['2026-07-01T10:00:00.123456789Z', '2026-07-01T12:00:01.000000000+02:00']
    const wire = Buffer.concat([
      frame(1, `${early} one two\n`),
      frame(2, `${early} `),
      frame(2, `${late}  three`),
      frame(1, `${late} \n`),
    ])
    const [at, after] = [Date.UTC(2026, 6, 1, 10, 0, 0, 123), Date.UTC(2026, 6, 1, 10, 0, 1)]

    test('takes each frame’s time off and hands it on, wherever the stream is cut', () => {
      for (let cut = 0; cut <= wire.length; cut++) {
        const demultiplexer = new Demultiplexer({ stamped: true })
        const frames = [wire.subarray(0, cut), wire.subarray(cut)].flatMap((part) => demultiplexer.push(part))
        expect(joined(frames)).toEqual([
          { stream: 'stdout', text: 'one two\n' },
          { stream: 'stderr', text: ' three' },
          { stream: 'stdout', text: '\n' },
        ])
        expect(new Set(frames.map((one) => `${one.stream} ${one.at}`))).toEqual(
          new Set([`stdout ${at}`, `stderr ${after}`, `stdout ${after}`]),
        )
        expect(demultiplexer.complete).toBe(true)
      }
    })

    test.each(['', 'no-time', 'x'.repeat(1000), `${'1'.repeat(1000)} text`, 'yesterday text', ' text'])(
      'refuses a frame without one: %j',
      (text) => {
        const pushed = () => new Demultiplexer({ stamped: true }).push(frame(1, text))
        expect(pushed).toThrow(MalformedOutput)
      },
    )
  })
})
