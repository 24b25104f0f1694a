export { AssetError, type AssetStream, type DownloadOptions, downloadAsset } from './download-asset.ts';
export { type Asset, type FindOptions, findAssets, type Hosting } from './find-assets.ts';
export { toDataUrl } from './to-data-url.ts';
