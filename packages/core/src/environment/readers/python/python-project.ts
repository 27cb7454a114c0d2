import { place } from '../../claims.ts'
import { iniLines, readIni, type Ini } from '../../formats/ini-text.ts'
import { fieldsOf, textOf, type Fields } from '../../formats/records.ts'
import { readToml, tomlLine } from '../../formats/toml-text.ts'
import type { Place } from '../../found.ts'
import { MOST_PATHS, type Folder } from '../../files/repository-files.ts'
import { sameName } from './requirement.ts'

export const PROJECT = 'pyproject.toml'

/** The declarations of a folder's package. */
export type Declared = {
  folder: Folder
  /** `pyproject.toml`; empty if there is none, null if it cannot be read. */
  manifest: Fields | null
  setupCfg: Ini
  setupPy: string
  /** Normalized; null: it has none. */
  name: string | null
}

/** The content of one folder's files, read once. */
export type PythonProject = Declared & {
  /** All files below the folder. */
  files: readonly string[]
  tox: Ini
  /** The settings of tox in TOML. */
  toxTables: Fields
  noxfile: string
  /** The environments of Hatch. */
  hatch: Fields
  placeOf: (...path: string[]) => Place
}

export function declaredIn(folder: Folder): Declared {
  const text = folder.text(PROJECT)
  const manifest = text === null ? {} : readToml(text)
  const tool = fieldsOf(manifest?.['tool'])
  const setupCfg = readIni(folder.text('setup.cfg') ?? '')
  const setupPy = folder.text('setup.py') ?? ''
  const name =
    textOf(fieldsOf(manifest?.['project'])['name']) ??
    textOf(fieldsOf(tool['poetry'])['name']) ??
    textOf(fieldsOf(fieldsOf(tool['flit'])['metadata'])['dist-name']) ??
    textOf(fieldsOf(fieldsOf(tool['flit'])['metadata'])['module']) ??
    iniLines(setupCfg, 'metadata', 'name')[0] ??
    nameInSetup(setupPy) ??
    null
  return { folder, manifest, setupCfg, setupPy, name: name === null ? null : sameName(name) }
}

/** Looks behind `setup(`, because an extension has a name, too. */
const nameInSetup = (text: string): string | undefined =>
  /\bname\s{0,5}=\s{0,5}["']([\w.-]{1,100})["']/.exec(text.slice(Math.max(0, text.search(/\bsetup\s{0,5}\(/))))?.[1]

export function pythonProject(folder: Folder): PythonProject {
  const text = folder.text(PROJECT)
  const declared = declaredIn(folder)
  const tool = fieldsOf(declared.manifest?.['tool'])
  const legacy = textOf(fieldsOf(tool['tox'])['legacy_tox_ini'])
  return {
    ...declared,
    files: folder.below(/./, MOST_PATHS),
    tox: readIni(folder.text('tox.ini') ?? legacy ?? ''),
    toxTables: folder.has('tox.toml') ? fieldsOf(readToml(folder.text('tox.toml') ?? '')) : fieldsOf(tool['tox']),
    noxfile: folder.text('noxfile.py') ?? '',
    hatch: fieldsOf(fieldsOf(tool['hatch'])['envs'] ?? fieldsOf(readToml(folder.text('hatch.toml') ?? ''))['envs']),
    placeOf: (...path) => place(folder, PROJECT, text === null ? null : tomlLine(text, path)),
  }
}

/** A table of `pyproject.toml`, empty if there is none. */
export const tableOf = ({ manifest }: Pick<PythonProject, 'manifest'>, ...path: string[]): Fields =>
  path.reduce<Fields>((fields, key) => fieldsOf(fields[key]), manifest ?? {})

/** Whether pip can install the folder: a `pyproject.toml` that only configures tools cannot be. */
export function isPackage({ folder, manifest, setupCfg }: PythonProject): boolean {
  if (folder.has('setup.py') || setupCfg.has('metadata')) return true
  if (!folder.has(PROJECT)) return false
  // A tool may be able to read what we cannot.
  return manifest === null || 'project' in manifest || 'build-system' in manifest
}
