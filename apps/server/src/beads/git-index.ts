import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readPlainFile } from '../process/plain-file.ts'

const LARGEST_INDEX = 256 * 1024 * 1024
const LONGEST_GIT_FILE = 4096
/** The lengths of SHA-1 and SHA-256. */
const HASHES = [20, 32]

/** `shared`: the name of another file with more names (a split index), or null. */
type Names = { found: Set<string>; shared: string | null }

/**
 * Which of a few names are in git's index of a working tree. Reads the index file itself, because git is never run in a
 * person's working tree.
 */
export class GitIndexes {
  readonly #wanted: readonly string[]
  readonly #known = new Map<string, { stamp: string; found: ReadonlySet<string> | null }>()

  /** In lower case: on some systems another spelling is the same file. */
  constructor(wanted: readonly string[]) {
    this.#wanted = wanted
  }

  /** Null: there is an index, but it cannot be read. */
  async namesIn(folder: string): Promise<ReadonlySet<string> | null> {
    const path = await indexOf(folder)
    const info = path === null ? null : await stat(path).catch(() => null)
    if (path === null || info === null) return new Set() // no repository, or nothing was ever added
    const stamp = `${info.mtimeMs}:${info.size}:${info.ino}`
    const known = this.#known.get(path)
    if (known?.stamp === stamp) return known.found
    const found = info.size > LARGEST_INDEX ? null : await this.#read(path)
    this.#known.set(path, { stamp, found })
    return found
  }

  /** A name that a split index has removed, but its shared file has not yet, counts as there. */
  async #read(path: string): Promise<ReadonlySet<string> | null> {
    const own = namesOf(await readFile(path), this.#wanted)
    if (!own || own.shared === null) return own?.found ?? null
    const shared = await readFile(join(dirname(path), own.shared)).catch(() => null)
    const others = shared && namesOf(shared, this.#wanted)
    return others ? new Set([...own.found, ...others.found]) : null
  }
}

async function indexOf(folder: string): Promise<string | null> {
  const path = join(folder, '.git')
  const info = await stat(path).catch(() => null)
  if (info?.isDirectory()) return join(path, 'index')
  const text = await readPlainFile(path, LONGEST_GIT_FILE).catch(() => '')
  const gitDir = /^gitdir: (.+?)\s*$/.exec(text)?.[1]
  return gitDir === undefined ? null : join(resolve(folder, gitDir), 'index')
}

/** Null: this is no index of a version that we know. */
function namesOf(index: Buffer, wanted: readonly string[]): Names | null {
  const version = index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC' ? 0 : index.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  for (const hash of HASHES) {
    const names = readEntries(index, { compressed: version === 4, hash, wanted })
    if (names !== null) return names
  }
  return null
}

type Form = { compressed: boolean; hash: number; wanted: readonly string[] }

/** Null if a name has not the length that its entry says: the hashes have another length. */
function readEntries(index: Buffer, { compressed, hash, wanted }: Form): Names | null {
  const found = new Set<string>()
  const end = index.length - hash
  let [at, previous] = [12, Buffer.alloc(0)]
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + 40 + hash
    if (flagsAt + 2 > end) return null
    const flags = index.readUInt16BE(flagsAt)
    const bodyAt = flagsAt + ((flags & 0x4000) === 0 ? 2 : 4)
    const { kept, nameAt } = compressed ? keptAt(index, bodyAt, previous.length) : { kept: 0, nameAt: bodyAt }
    const nameEnd = index.indexOf(0, nameAt)
    if (kept < 0 || nameEnd < 0 || nameEnd > end) return null
    const rest = index.subarray(nameAt, nameEnd)
    const name = kept === 0 ? rest : Buffer.concat([previous.subarray(0, kept), rest])
    if ((flags & 0xfff) !== Math.min(name.length, 0xfff)) return null
    if (wanted.some(({ length }) => length === name.length)) {
      const text = name.toString('latin1').toLowerCase()
      if (wanted.includes(text)) found.add(text)
    }
    previous = Buffer.from(name)
    at = compressed ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7)
  }
  return { found, shared: sharedIn(index.subarray(at, end), hash) }
}

/** Version 4 leaves out what a name has in common with the one before it, and says how much of that is dropped. */
function keptAt(index: Buffer, at: number, before: number): { kept: number; nameAt: number } {
  let byte = index[at] ?? 0
  let [dropped, nameAt] = [byte & 0x7f, at + 1]
  while ((byte & 0x80) !== 0) {
    byte = index[nameAt] ?? 0
    nameAt += 1
    dropped = (dropped + 1) * 128 + (byte & 0x7f)
  }
  return { kept: before - dropped, nameAt }
}

function sharedIn(extensions: Buffer, hash: number): string | null {
  for (let at = 0; at + 8 <= extensions.length;) {
    const [name, size] = [extensions.toString('latin1', at, at + 4), extensions.readUInt32BE(at + 4)]
    if (name === 'link') return `sharedindex.${extensions.toString('hex', at + 8, at + 8 + hash)}`
    at += 8 + size
  }
  return null
}
