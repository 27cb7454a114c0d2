import { fieldsOf, listOf, textOf, type Fields } from '../../formats/records.ts'
import type { Folder } from '../../repository-files.ts'

/** What makes a library that Python, Node.js, Ruby, Elixir or PHP loads. */
const BRIDGES = ['pyo3', 'napi', 'neon', 'magnus', 'rustler', 'ext-php-rs']

/**
 * Whether it is nothing but such a library: no test of Rust can be linked with it, and those of the other language test it.
 * One that has a folder of tests is not.
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
