import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, pack, type Pack } from 'tar-stream'

/** Adds a file to a stream, in place of one with the same name. */
export function withFile(tar: Readable, file: { name: string; text: string }): Readable {
  const out = pack()
  void copy(tar, out, file).catch((error: Error) => {
    tar.destroy()
    out.destroy(error)
  })
  // tar-stream's stream type is not Node's.
  return Readable.from(out)
}

async function copy(tar: Readable, out: Pack, { name, text }: { name: string; text: string }): Promise<void> {
  const entries = extract()
  tar.once('error', (error) => entries.destroy(error))
  tar.pipe(entries)
  for await (const entry of entries) {
    const { header } = entry
    if (header.name === name) entry.resume()
    else if (header.type === 'file' || header.type === undefined) await pipeline(entry, out.entry(header))
    else {
      out.entry(header)
      entry.resume()
    }
  }
  out.entry({ name, mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) }, text)
  out.finalize()
}
