// Runs after look.js on the page of a model, and loads media on demand.
const endings = {
  image: /\.(?:png|jpe?g|webp|gif|avif|svg)$/i,
  video: /\.(?:mp4|webm|mov)$/i,
  sound: /\.(?:mp3|wav|ogg|flac|m4a|opus)$/i,
};

function mediaOf(text) {
  const [, inline] = /^data:(image|video|audio)\//.exec(text) ?? [];
  if (inline !== undefined) return inline === 'audio' ? 'sound' : inline;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || /(?:^|\.)example(?:\.\w+)?$/.test(url.hostname)) return undefined;
  return Object.keys(endings).find((kind) => endings[kind].test(url.pathname));
}

function textsIn(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

// Loads nothing before the reader clicks, because the host of the file would learn who reads the page.
function offerMedia(place) {
  let value;
  try {
    value = JSON.parse(place.nextElementSibling.querySelector('pre').textContent);
  } catch {
    return; // The example was truncated.
  }
  const found = [...new Set(textsIn(value))].flatMap((text) => {
    const kind = mediaOf(text);
    return kind === undefined ? [] : [{ text, kind }];
  });
  for (const { text, kind } of found.slice(0, 12)) {
    const host = text.startsWith('data:') ? 'in this page' : `from ${new URL(text).hostname}`;
    const button = element('button', '', `Show the ${kind} ${host}`);
    button.type = 'button';
    button.addEventListener('click', () => {
      const shown = element({ image: 'img', video: 'video', sound: 'audio' }[kind], '', '');
      if (kind === 'image') shown.alt = 'Example output';
      else shown.controls = true;
      shown.addEventListener('error', () =>
        shown.replaceWith(element('p', 'soft', `The ${kind} could not be loaded.`)),
      );
      shown.src = text;
      button.replaceWith(shown);
    });
    place.append(button);
  }
}

// Opens the collapsed fields around the field that the URL links to.
function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  if (target === null) return;
  for (let outer = target.parentElement; outer !== null; outer = outer.parentElement)
    if (outer.localName === 'details') outer.open = true;
  target.scrollIntoView();
}

const media = document.getElementById('media');
if (media !== null) offerMedia(media);
addEventListener('hashchange', unfold);
unfold();
