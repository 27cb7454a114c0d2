/**
 * Packages that download a program from a host other than the registry when they are installed, and the variable that
 * prevents it. Checks run without a network and without a browser's system libraries, so nothing is lost.
 */
const DOWNLOADS: readonly (readonly [name: RegExp, variable: string])[] = [
  [/^cypress$/, 'CYPRESS_INSTALL_BINARY=0'],
  [/^puppeteer$/, 'PUPPETEER_SKIP_DOWNLOAD=true'],
  [/^(?:playwright(?:-\w+)?|@playwright\/\S+)$/, 'PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1'],
  [/^electron$/, 'ELECTRON_SKIP_BINARY_DOWNLOAD=1'],
  [/^chromedriver$/, 'CHROMEDRIVER_SKIP_DOWNLOAD=true'],
]

export const withoutDownloads = (command: string, dependencies: readonly string[]): string =>
  [
    ...DOWNLOADS.filter(([name]) => dependencies.some((one) => name.test(one))).map(([, variable]) => variable),
    command,
  ].join(' ')
