/* Pictures that this page has drawn itself (SVG without anything from outside), for other programs. */

/** Sharp on most screens. */
const SCALE = 2

/** Puts a picture on the clipboard as PNG, the format that programs take. Throws with advice on what to do instead. */
export async function copyPicture(svg: string): Promise<void> {
  if (!isSecureContext || !('ClipboardItem' in globalThis))
    throw new Error('This browser cannot copy images from a page without HTTPS. Download it instead.')
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': asPng(svg) })])
}

export function savePicture(svg: string, name: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
  return Promise.resolve()
}

async function asPng(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * SCALE
  canvas.height = image.naturalHeight * SCALE
  const context = canvas.getContext('2d')
  context?.scale(SCALE, SCALE)
  context?.drawImage(image, 0, 0)
  return await new Promise((done, failed) =>
    canvas.toBlob((blob) =>
      blob ? done(blob) : failed(new Error('The image could not be drawn. Download it instead.')),
    ),
  )
}
