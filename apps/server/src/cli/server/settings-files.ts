import { readFile, stat } from 'node:fs/promises'
import type { ServerSettings } from '../../process/settings.ts'

/** Files and folders that the settings name and that cannot be what they should be, each as a sentence. */
export async function problemsWithFiles({ caBundle, scenarios }: ServerSettings): Promise<string[]> {
  const problems: string[] = []
  const folder = await stat(scenarios).catch(() => null)
  if (!folder?.isDirectory())
    problems.push(`--scenarios, BEADLOOM_SCENARIOS or "scenarios": there is no folder ${scenarios}`)
  if (caBundle === null) return problems
  try {
    const text = await readFile(caBundle, 'utf8')
    if (!text.includes('-----BEGIN CERTIFICATE-----'))
      problems.push(`${bundle}: ${caBundle} has no PEM certificate in it`)
  } catch (error) {
    problems.push(`${bundle}: ${caBundle} cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
  return problems
}

const bundle = '--ca-bundle, BEADLOOM_CA_BUNDLE or "caBundle"'
