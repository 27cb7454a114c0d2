import { fieldsOf, listOf, textOf, type Fields } from '../../formats/records.ts'
import type { Folder } from '../../files/repository-files.ts'

/** Crates for libraries that Python, Node.js, Ruby, Elixir or PHP loads. */
const BRIDGES = ['pyo3', 'napi', 'neon', 'magnus', 'rustler', 'ext-php-rs']

/**
 * Whether the crate is only such a library: Rust tests cannot be linked with it, and the other language tests it. A
 * crate with a folder of tests is more.
 */
export function isExtension(folder: Folder, manifest: Fields): boolean {
  const kinds = listOf(fieldsOf(manifest['lib'])['crate-type']).map(textOf)
  const dependencies = fieldsOf(manifest['dependencies'])
  return (
    kinds.length > 0 &&
    kinds.every((kind) => kind === 'cdylib') &&
    BRIDGES.some((name) => Object.hasOwn(dependencies, name)) &&
    folder.below(/^tests\/.{1,200}\.rs$/, 1).length === 0
  )
}
