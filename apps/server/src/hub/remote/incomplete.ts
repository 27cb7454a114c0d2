import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { foldersOf, pathOf } from './local-repository.ts'

/*
 * Incomplete repositories of this machine, recognized from their files alone: every clone lacks what they lack, and
 * only they can get it.
 */

const MOST_BYTES = 1024 * 1024

/** `shallow` comes with its own reason: some of its branches may still be whole. */
export type Incomplete = { what: 'shallow' | 'partial' | 'alternates' | 'sha256'; sentence: string }

/** The missing part of a local repository, with the command that completes it; null: nothing, or it is elsewhere. */
export async function incompleteness(source: string): Promise<Incomplete | null> {
  const path = pathOf(source)
  if (path === null) return null
  const { common } = await foldersOf(path)
  const config = await textOf(join(common, 'config'))
  const at = `git -C ${inShell(path)}`
  if (/^[ \t]*objectformat[ \t]*=[ \t]*"?sha256/im.test(config))
    return {
      what: 'sha256',
      sentence: `${path} keeps its objects by SHA-256, which Beadloom does not read (nor do most forges). Make a repository of the usual kind from it: git init NEW, then ${at} fast-export --all | git -C NEW fast-import, and add that one.`,
    }
  const gone = await lostAlternate(common)
  if (gone !== null)
    return {
      what: 'alternates',
      sentence: `${path} borrows objects from ${gone}, which is not there any more (its objects/info/alternates says so), so a part of it cannot be read. Bring that folder back, then ${at} repack -a -d makes it whole; or clone it anew, without --shared and --reference.`,
    }
  const promisor = promisorOf(config)
  if (promisor !== null)
    return {
      what: 'partial',
      sentence: `${path} is a partial clone: files of its history are only at its remote ${promisor}, and a clone of it does not get them. Make it whole: ${at} config --unset-all remote.${promisor}.partialclonefilter; ${at} fetch --refetch ${promisor}`,
    }
  if ((await textOf(join(common, 'shallow'))) !== '')
    return {
      what: 'shallow',
      sentence: `${path} is a shallow clone: it lacks the older part of its history, so nothing can be based on it. Make it whole: ${at} fetch --unshallow`,
    }
  return null
}

/** The remote that has the rest of a partial clone. */
function promisorOf(config: string): string | null {
  const sections = config.split(/^(?=[ \t]*\[)/m)
  const isPromisor = (text: string) =>
    /^[ \t]*(?:promisor[ \t]*=[ \t]*"?(?:true|yes|on|1)|partialclonefilter[ \t]*=)/im.test(text)
  const found = sections.find((text) => /^\s*\[remote "/i.test(text) && isPromisor(text))
  return (
    (found && /^\s*\[remote "([^"\n]+)"\]/i.exec(found)?.[1]) ??
    /^[ \t]*partialclone[ \t]*=[ \t]*"?([^"\s]+)/im.exec(config)?.[1] ??
    null
  )
}

async function lostAlternate(common: string): Promise<string | null> {
  const objects = join(common, 'objects')
  const lines = (await textOf(join(objects, 'info', 'alternates'))).split('\n')
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue
    const folder = resolve(objects, line)
    if ((await stat(folder).catch(() => null)) === null) return folder
  }
  return null
}

async function textOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null)
  if (found === null || !found.isFile() || found.size > MOST_BYTES) return ''
  return readFile(file, 'utf8').catch(() => '')
}

/** A path in a form that a person can paste. */
const inShell = (path: string): string => (/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
