import type { Page } from 'playwright-core'

/** The clipboard's text, read by pasting: the page itself may not read it. */
export async function pasted(page: Page): Promise<string> {
  await page.evaluate(() => {
    const field = document.createElement('textarea')
    field.id = 'paste'
    document.body.append(field)
    field.focus()
  })
  await page.keyboard.press('Control+v')
  return page.evaluate(() => {
    const field = document.querySelector<HTMLTextAreaElement>('#paste')
    field?.remove()
    return field?.value ?? ''
  })
}
