import { fieldsOf, listOf, textOf, type Fields } from '../../formats/records.ts'
import { readToml } from '../../formats/toml-text.ts'
import type { Folder } from '../../files/repository-files.ts'
import { TESTS_BY_CARGO, type CiLine } from './lines-of-ci.ts'

/**
 * Folders whose crates a CI tests by themselves, because they are not in the root's workspace: mostly crates whose
 * features would change how all others are compiled.
 */
export function testedApart(folder: Folder, manifest: Fields, lines: readonly CiLine[]): string[] {
  const workspace = manifest['workspace']
  const excluded = listOf(fieldsOf(workspace)['exclude']).map(textOf)
  const isApart = (at: string) => {
    const text = folder.text(`${at}/Cargo.toml`)
    if (text === null) return false
    return workspace === undefined || excluded.includes(at) || Object.hasOwn(fieldsOf(readToml(text)), 'workspace')
  }
  const folders = lines.filter(({ line }) => TESTS_BY_CARGO.test(line)).map(({ at }) => at)
  return [...new Set(folders)].filter((at) => at !== '' && isApart(at)).map((at) => folder.at(at))
}
