import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { describe, type SuiteAPI } from 'vitest'

const dashboard = join(import.meta.dirname, '..', '..', '..', 'apps', 'web', 'dist', 'index.html')

/** The system's browser; `CHROMIUM` names another one. */
function findChromium(): string | null {
  const named = process.env['CHROMIUM']
  if (named) return named
  const folders = (process.env['PATH'] ?? '').split(':').filter(Boolean)
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
    if (found) return found
  }
  return null
}

const executablePath = findChromium()

/** `describe` for tests that need a browser: reports a missing one; with `REQUIRE_ALL=1` that is a failure. */
export function browserSuite(): SuiteAPI | SuiteAPI['skip'] {
  if (executablePath === null) {
    const why = 'There is no Chromium. Run: sudo apt-get install -y chromium'
    if (process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${why}`)
    console.warn(`SKIPPED: tests in a browser. ${why}`)
    return describe.skip
  }
  if (!existsSync(dashboard))
    throw new Error('The dashboard is not built. Run: npm test, which builds it, or `vite build` in apps/web')
  return describe
}

export function launch(): Promise<Browser> {
  if (executablePath === null) throw new Error('there is no Chromium')
  return chromium.launch({
    executablePath,
    // For root, Chromium has no sandbox of its own; containers have a small /dev/shm.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
}
