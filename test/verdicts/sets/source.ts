import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Files } from '../../support/repository.ts'

/** A set's files in a folder, and their commit. */
export type Source = { folder: string; commit: string }

/**
 * @param place a working tree, a bare repository, or an address that git can clone
 * @param scratch the folder for the files, unless `place` is a working tree
 */
export function openSource(place: string, scratch: string): Source {
  const isBare = existsSync(join(place, 'HEAD')) && existsSync(join(place, 'objects'))
  if (existsSync(place) && !isBare)
    return { folder: place, commit: existsSync(join(place, '.git')) ? headOf(place) : '' }
  const bare = isBare ? place : `${scratch}.git`
  if (!existsSync(bare))
    execFileSync('git', ['clone', '--quiet', '--bare', '--depth=1', place, bare], { stdio: 'inherit' })
  const commit = headOf(bare)
  const folder = `${scratch}-${commit.slice(0, 12)}`
  if (existsSync(folder)) return { folder, commit }
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', '--format=tar', 'HEAD'], { cwd: bare, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['x', '-C', folder], { input: archive })
  return { folder, commit }
}

const headOf = (repository: string): string =>
  execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository, encoding: 'utf8' }).trim()

/** Every text file below a folder, by its path within. Other files are left out. */
export function textsBelow(folder: string, under = ''): Files {
  const files: Files = {}
  for (const name of readdirSync(join(folder, under)).sort()) {
    const path = under === '' ? name : `${under}/${name}`
    if (statSync(join(folder, path)).isDirectory()) Object.assign(files, textsBelow(folder, path))
    else {
      const bytes = readFileSync(join(folder, path))
      if (!bytes.includes(0)) files[path] = bytes.toString('utf8')
    }
  }
  return files
}
