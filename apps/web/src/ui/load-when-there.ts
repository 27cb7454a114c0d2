/** Between two tries; the page says meanwhile that it is offline. */
const AGAIN_AFTER_MS = 2_000

/**
 * A part of the dashboard, however long the server is away. A page that could not be loaded is otherwise loaded anew
 * from its address, and who is offline then loses what was on the screen. Where the server answers and the part is
 * still not there, the server has a newer one: then that is right, and the error goes on to the router.
 */
export async function loadWhenThere<T>(load: () => Promise<T>, { answers, pause } = browser): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (await answers()) throw error
      await pause()
    }
  }
}

const browser = {
  answers: (): Promise<boolean> =>
    fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
      () => true,
      () => false,
    ),
  pause: (): Promise<void> => new Promise((over) => setTimeout(over, AGAIN_AFTER_MS)),
}
