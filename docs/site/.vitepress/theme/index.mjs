import theme from 'vitepress/theme';
import './own.css';

// vitepress demands a default export here.
export default theme;
