import { readIni, type Ini } from '../../formats/ini-text.ts'
import { listOf, textOf } from '../../formats/records.ts'
import { isObject } from '../../../text/json-object.ts'
import { place } from '../../claims.ts'
import type { Place } from '../../found.ts'
import { tableOf, type PythonProject } from './python-project.ts'

type Settings = { settings: string; required: unknown; from: Place }

const FILES = ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml']

/** The configuration of pytest, looked for in its own order; null: there is none. */
function configured(project: PythonProject): Settings | null {
  const { folder, tox, setupCfg } = project
  const file = FILES.find((name) => folder.has(name))
  if (file !== undefined) return ofIni(readIni(folder.text(file) ?? ''), 'pytest', place(folder, file))
  const table = tableOf(project, 'tool', 'pytest')
  if (Object.keys(table).length > 0) {
    const options = isObject(table['ini_options']) ? table['ini_options'] : table
    const line = (value: unknown) => (Array.isArray(value) ? value.map(textOf).join(' ') : String(value))
    return {
      settings: Object.entries(options)
        .map(([key, value]) => `${key} = ${line(value)}`)
        .join('\n'),
      required: options['required_plugins'],
      from: isObject(table['ini_options'])
        ? project.placeOf('tool', 'pytest', 'ini_options')
        : project.placeOf('tool', 'pytest'),
    }
  }
  const inTox = tox.get('pytest')
  if (inTox !== undefined && folder.has('tox.ini')) return ofIni(tox, 'pytest', place(folder, 'tox.ini', inTox.line))
  const inSetup = setupCfg.get('tool:pytest')
  if (inSetup !== undefined) return ofIni(setupCfg, 'tool:pytest', place(folder, 'setup.cfg', inSetup.line))
  return null
}

function ofIni(ini: Ini, section: string, from: Place): Settings {
  const values = [...(ini.get(section)?.values ?? [])]
  return {
    settings: values.map(([key, { lines }]) => `${key} = ${lines.join(' ')}`).join('\n'),
    required: values.find(([key]) => key === 'required_plugins')?.[1].lines.join(' '),
    from,
  }
}

/** Its settings, a line for each, and the plugins that they require. */
export function pytestSettings(project: PythonProject): [settings: string, required: unknown] {
  const found = configured(project)
  return [found?.settings ?? '', listOf(found?.required).length > 0 ? found?.required : (textOf(found?.required) ?? '')]
}

/** Whether pytest has settings here: those of a folder above do not count then. */
export const isConfigured = (project: PythonProject): boolean => configured(project) !== null

/** The place that says that pytest runs the tests. */
export function pytestPlace(project: PythonProject): Place | null {
  const { folder } = project
  const conftest = ['conftest.py', 'tests/conftest.py', 'test/conftest.py'].find((name) => folder.has(name))
  return configured(project)?.from ?? (conftest === undefined ? null : place(folder, conftest))
}
