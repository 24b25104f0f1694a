export { AssetError, type DownloadOptions, downloadAsset } from './download-asset.js';
export { type Asset, type FindOptions, findAssets, type Hosting } from './find-assets.js';
