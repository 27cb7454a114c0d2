import { place } from '../../claims.ts'
import { readIni, type Ini } from '../../formats/ini-text.ts'
import { fieldsOf, textOf, type Fields } from '../../formats/records.ts'
import { readToml, tomlLine } from '../../formats/toml-text.ts'
import type { Place } from '../../found.ts'
import { MOST_PATHS, type Folder } from '../../repository-files.ts'
import { sameName } from './requirement.ts'

export const PROJECT = 'pyproject.toml'

/** What the files of one folder say, read once. */
export type PythonProject = {
  folder: Folder
  /** All files below the folder. */
  files: readonly string[]
  /** `pyproject.toml`; empty where there is none, null where it cannot be read. */
  manifest: Fields | null
  setupCfg: Ini
  tox: Ini
  setupPy: string
  /** The settings of tox in TOML. */
  toxTables: Fields
  noxfile: string
  /** The environments of Hatch. */
  hatch: Fields
  /** As packages are compared; null: it has none. */
  name: string | null
  placeOf: (...path: string[]) => Place
}

export function pythonProject(folder: Folder): PythonProject {
  const text = folder.text(PROJECT)
  const manifest = text === null ? {} : readToml(text)
  const tool = fieldsOf(manifest?.['tool'])
  const legacy = textOf(fieldsOf(tool['tox'])['legacy_tox_ini'])
  const name = textOf(fieldsOf(manifest?.['project'])['name']) ?? textOf(fieldsOf(tool['poetry'])['name'])
  return {
    folder,
    files: folder.below(/./, MOST_PATHS),
    manifest,
    setupCfg: readIni(folder.text('setup.cfg') ?? ''),
    tox: readIni(folder.text('tox.ini') ?? legacy ?? ''),
    setupPy: folder.text('setup.py') ?? '',
    toxTables: folder.has('tox.toml') ? fieldsOf(readToml(folder.text('tox.toml') ?? '')) : fieldsOf(tool['tox']),
    noxfile: folder.text('noxfile.py') ?? '',
    hatch: fieldsOf(fieldsOf(tool['hatch'])['envs'] ?? fieldsOf(readToml(folder.text('hatch.toml') ?? ''))['envs']),
    name: name === null ? null : sameName(name),
    placeOf: (...path) => place(folder, PROJECT, text === null ? null : tomlLine(text, path)),
  }
}

/** A table of `pyproject.toml`, empty where there is none. */
export const tableOf = ({ manifest }: Pick<PythonProject, 'manifest'>, ...path: string[]): Fields =>
  path.reduce<Fields>((fields, key) => fieldsOf(fields[key]), manifest ?? {})

/** Whether pip can install the folder: a `pyproject.toml` that only configures tools cannot be. */
export function isPackage({ folder, manifest, setupCfg }: PythonProject): boolean {
  if (folder.has('setup.py') || setupCfg.has('metadata')) return true
  if (!folder.has(PROJECT)) return false
  // One that cannot be read here may be read by its tool.
  return manifest === null || 'project' in manifest || 'build-system' in manifest
}
