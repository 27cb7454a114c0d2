import type { Browser } from 'playwright-core'

/** A picture of a page and the time that it is shown. */
export type Frame = { png: Buffer; ms: number }

/** The part of a picture that differs from the one before, with its pixels as a WebP file. */
type Change = { x: number; y: number; width: number; height: number; webp: string } | null

/**
 * Makes an animated WebP of pictures of one size, which loops. Each frame holds only the changes, without loss. The
 * browser that took the pictures compresses them; this code only joins them into one file, so no encoder has to be
 * installed. The format: https://developers.google.com/speed/webp/docs/riff_container
 */
export async function animatedPicture(browser: Browser, frames: readonly Frame[]): Promise<Buffer> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const shown: { change: NonNullable<Change>; ms: number }[] = []
    let size = { width: 0, height: 0 }
    for (const { png, ms } of frames) {
      const { change, ...found } = await page.evaluate(changeSince, png.toString('base64'))
      size = found
      const last = shown.at(-1)
      if (change !== null) shown.push({ change, ms })
      else if (last) last.ms += ms
    }
    const header = Buffer.alloc(10)
    header[0] = 0x02 // it is animated
    header.writeUIntLE(size.width - 1, 4, 3)
    header.writeUIntLE(size.height - 1, 7, 3)
    const chunks = [chunk('VP8X', header), chunk('ANIM', Buffer.alloc(6))]
    for (const { change, ms } of shown) chunks.push(chunk('ANMF', frameData(change, ms)))
    return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
  } finally {
    await context.close()
  }
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8, name.padEnd(8))
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

function frameData({ x, y, width, height, webp }: NonNullable<Change>, ms: number): Buffer {
  const head = Buffer.alloc(16)
  head.writeUIntLE(x / 2, 0, 3)
  head.writeUIntLE(y / 2, 3, 3)
  head.writeUIntLE(width - 1, 6, 3)
  head.writeUIntLE(height - 1, 9, 3)
  head.writeUIntLE(ms, 12, 3)
  head[15] = 0x02 // it replaces the pixels below
  return Buffer.concat([head, imageOf(Buffer.from(webp, 'base64'))])
}

/** The chunk with the pixels, without the header of the file, which the animation has once. */
function imageOf(file: Buffer): Buffer {
  for (let at = 12; at + 8 <= file.length;) {
    const end = at + 8 + file.readUInt32LE(at + 4)
    if (/^VP8[ L]$/.test(file.toString('latin1', at, at + 4))) return file.subarray(at, end + (end % 2))
    at = end + (end % 2)
  }
  throw new Error('the browser made no WebP picture')
}

/** Runs in the browser, which keeps the last picture. */
async function changeSince(png: string): Promise<{ change: Change; width: number; height: number }> {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const { width, height } = bitmap
  const whole = new OffscreenCanvas(width, height)
  const pen = whole.getContext('2d', { willReadFrequently: true })
  if (pen === null) throw new Error('there is no canvas')
  pen.drawImage(bitmap, 0, 0)
  const now = new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer)
  const kept = globalThis as unknown as { before?: Uint32Array }
  const { before } = kept
  kept.before = now
  let [left, top, right, bottom] = before ? [width, height, -1, -1] : [0, 0, width - 1, height - 1]
  if (before)
    for (let at = 0; at < now.length; at++) {
      if (now[at] === before[at]) continue
      const [x, y] = [at % width, Math.floor(at / width)]
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  if (right < 0) return { change: null, width, height }
  left -= left % 2 // the format counts in twos
  top -= top % 2
  const part = new OffscreenCanvas(right - left + 1, bottom - top + 1)
  part.getContext('2d')?.drawImage(whole, -left, -top)
  const blob = await part.convertToBlob({ type: 'image/webp', quality: 1 })
  const webp = await new Promise<string>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.readAsDataURL(blob)
  })
  return { change: { x: left, y: top, width: part.width, height: part.height, webp }, width, height }
}
