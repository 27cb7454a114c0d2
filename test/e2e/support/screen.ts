import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core'

export type ScreenOptions = {
  scheme?: 'light' | 'dark'
  size?: { width: number; height: number }
  /** Device pixels for each CSS pixel. */
  scale?: number
  /** Whether it has a finger instead of a mouse. */
  touch?: boolean
  /** Opens with the server's token, as the printed link does; default true. */
  signIn?: boolean
}

/** A `World`, or any server that one can sign in to. */
export type Signed = { server: { url: string; token: string } }

/** The longest wait of a test for one thing: room for a loaded machine with two cores. */
const PATIENCE_MS = 60_000

/**
 * One person's browser: a context of its own, and a record of everything that must never happen (errors, refused loads,
 * requests elsewhere, dialogs).
 */
export class Screen {
  readonly page: Page
  readonly context: BrowserContext
  readonly problems: string[] = []
  /**
   * Console messages that the test itself provokes (a server that is away). Chromium breaks requests off when a network
   * interface comes or goes, and Docker makes one for every container with a network; the page has to cope with that.
   */
  readonly #expected: RegExp[] = [/ERR_NETWORK_CHANGED/]
  readonly #origin: string
  /** Tabs that are being opened. */
  #tabs = 0

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context
    this.page = page
    this.#origin = origin
  }

  static async open(browser: Browser, world: Signed, options: ScreenOptions = {}): Promise<Screen> {
    const context = await browser.newContext({
      viewport: options.size ?? { width: 1440, height: 900 },
      deviceScaleFactor: options.scale ?? 1,
      colorScheme: options.scheme ?? 'light',
      reducedMotion: 'reduce',
      hasTouch: options.touch ?? false,
      isMobile: options.touch ?? false,
    })
    context.setDefaultTimeout(PATIENCE_MS)
    const screen = new Screen(context, await context.newPage(), new URL(world.server.url).origin)
    await screen.#watch()
    if (options.signIn !== false) await screen.go(`/?token=${world.server.token}`)
    return screen
  }

  /** From now on, such a console message is no problem. */
  expectConsole(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  async go(path: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.page.goto(`${this.#origin}${path}`)
        return
      } catch (error) {
        // A page that never began to load can only be requested again.
        if (tries === 3 || !/ERR_NETWORK_CHANGED|interrupted by another navigation/.test(String(error))) throw error
      }
    }
  }

  /** Opens another tab of the same person. */
  async tab(): Promise<Page> {
    this.#tabs += 1
    return this.context.newPage()
  }

  close(): Promise<void> {
    return this.context.close()
  }

  async #watch(): Promise<void> {
    const { page, context, problems } = this
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP: ${event.violatedDirective} refused ${event.blockedURI}`),
      )
    })
    context.on('console', (message: ConsoleMessage) => {
      const text = `${message.text()} ${message.location().url}`
      if (message.type() !== 'error' && message.type() !== 'warning') return
      if (!this.#expected.some((pattern) => pattern.test(text))) problems.push(`console ${message.type()}: ${text}`)
    })
    context.on('weberror', (error) => problems.push(`error: ${error.error().message}`))
    context.on('dialog', (dialog) => {
      // The browser's question about unsaved changes: a test that leaves means it.
      if (dialog.type() === 'beforeunload') return void dialog.accept()
      problems.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    context.on('page', (other) => {
      if (this.#tabs > 0) this.#tabs -= 1
      else problems.push(`a window was opened: ${other.url()}`)
    })
    context.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol !== 'blob:' && url.origin !== this.#origin) problems.push(`request elsewhere: ${request.url()}`)
    })
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).host !== new URL(this.#origin).host) problems.push(`socket elsewhere: ${socket.url()}`)
    })
  }
}
