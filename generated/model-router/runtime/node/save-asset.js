/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { AssetError, downloadAsset } from '../assets/download-asset.js';
/** Extensions that differ from the subtype of the media type. */
const extensions = {
    'audio/mpeg': 'mp3',
    'audio/x-wav': 'wav',
    'image/jpeg': 'jpg',
    'image/svg+xml': 'svg',
    'model/gltf+json': 'gltf',
    'model/gltf-binary': 'glb',
    'text/plain': 'txt',
    'video/quicktime': 'mov',
};
const plainType = /^(?:application\/(?=json|pdf|zip)|audio\/|image\/|video\/)([a-z0-9]{3,5})$/;
/**
 * Saves an asset in a folder under a safe name, without replacing a file. Rejects an empty file or an HTML page if the
 * output promises an image, a video, a sound or a 3D model.
 */
export async function saveAsset(asset, folder, options) {
    await mkdir(folder, { recursive: true });
    const stream = downloadAsset(asset, options);
    const name = toSafeName(options.name ?? asset.path.join('-'));
    const draft = `${folder}/.${name}.${crypto.randomUUID()}.part`;
    try {
        const file = await open(draft, 'wx');
        const written = file.writeFile(stream).then(() => file.stat());
        const { size: bytes } = await written.finally(() => file.close());
        const mediaType = await stream.mediaType;
        const isMedia = /^(?:audio|image|video|model)\//.test(asset.mediaType ?? '');
        if (isMedia && bytes === 0)
            throw new AssetError(`the asset is empty, but the output promises ${asset.mediaType}`);
        // For example, the link has expired.
        if (isMedia && mediaType === 'text/html')
            throw new AssetError(`the asset's server returned a page, but the output promises ${asset.mediaType}`);
        const type = mediaType ?? '';
        const extension = extensions[type] ?? plainType.exec(type)?.[1] ?? readExtension(asset);
        return { path: await moveToUnusedName(draft, `${folder}/${name}`, extension), mediaType, bytes };
    }
    finally {
        await rm(draft, { force: true });
    }
}
/** Moves a finished file to its name, or to the next unused one. */
async function moveToUnusedName(draft, stem, extension) {
    for (let number = 1; number < 10_000; number += 1) {
        const path = `${stem}${number === 1 ? '' : `-${number}`}.${extension}`;
        try {
            await (await open(path, 'wx')).close();
            await rename(draft, path);
            return path;
        }
        catch (error) {
            if (Object(error).code !== 'EEXIST')
                throw error;
        }
    }
    throw new AssetError(`${stem} and 10,000 numbered variants of this name already exist`);
}
function readExtension(asset) {
    const [, extension = 'bin'] = asset.kind === 'url' ? (/\.([a-z0-9]{1,5})$/i.exec(new URL(asset.url).pathname) ?? []) : [];
    return extension.toLowerCase();
}
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
function toSafeName(text) {
    const plain = text
        .replace(/[^\w-]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 100);
    return plain === '' || deviceName.test(plain) ? `asset${plain && '-'}${plain}` : plain;
}
